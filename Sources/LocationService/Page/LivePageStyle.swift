/// How the live page looks, beside what all our pages have in common.
enum LivePageStyle {
  static let css = #"""

    .link { min-width: 0; }
    .badge { display: inline-block; font-size: .8rem; font-weight: 600; line-height: 1; padding: 5px 9px; border-radius: 99px;
      background: var(--faint); color: var(--muted); white-space: nowrap; }
    .badge.good { background: var(--good-back); color: var(--good); }
    .badge.bad { background: var(--bad-back); color: var(--bad); }
    .clock { margin-left: auto; color: var(--muted); font-size: .84rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .live { display: grid; gap: 16px; grid-template-columns: repeat(12, minmax(0, 1fr)); }
    .facts-card, .history { grid-column: span 12; }
    .map-card { grid-column: span 8; display: flex; flex-direction: column; } .learned { grid-column: span 4; }
    .sensors { grid-column: span 8; } .sky { grid-column: span 4; }
    .map-card .map-box { flex: 1; min-height: clamp(340px, 58vh, 620px); }
    .map-card .map { position: absolute; inset: 0; height: 100%; }
    .live[data-access=reduced] :is(.learned, .history, .sensors, .sky) { display: none; }
    .live[data-access=reduced] .map-card { grid-column: span 12; }
    .live:is([data-access=serviceDisabled], [data-access=deniedForClient], [data-access=notDetermined]) { display: none; }
    .now { display: grid; gap: 14px 24px; grid-template-columns: 1.6fr repeat(4, 1fr) 1.6fr; }
    .now > div { min-width: 0; }
    .now dt { color: var(--muted); font-size: .8rem; }
    .now dd { margin: 0; font-variant-numeric: tabular-nums; }
    .now b { display: block; font-size: 1.35rem; font-weight: 660; letter-spacing: -.02em; line-height: 1.3; }
    .now .place-text { font-size: 1rem; line-height: 1.75; letter-spacing: 0; }
    .now small { display: block; color: var(--muted); font-size: .8rem; min-height: 1.3em; overflow-wrap: anywhere; }
    #mode::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-right: .4em; border-radius: 50%;
      background: var(--muted); vertical-align: .08em; }
    #mode.aided::before { background: var(--causal); } #mode.standing::before { background: var(--good); }
    #mode.dead::before { background: none; border: 3px solid var(--fixedLag); }
    .swatch.causal, .swatch.aided { background: var(--causal); } .swatch.gnss { background: var(--gnss); }
    .swatch.dead { background: repeating-linear-gradient(90deg, var(--fixedLag) 0 4px, transparent 4px 6px); }
    .swatch.standing { background: var(--good); }
    #follow[aria-pressed=true], #pause[aria-pressed=true] { border-color: var(--causal); color: var(--causal); font-weight: 620; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--muted); font-size: .82rem; }
    .legend .swatch { margin-right: 6px; }
    .chart { height: 240px; }
    .history-table { padding: 0 20px 12px; } .history-table .scroll { max-height: 300px; overflow-y: auto; }
    .learned h3 { margin: 14px 0 0; font-size: .88rem; font-weight: 620; }
    .learned ul { padding-left: 1.1em; margin-top: 4px; font-size: .9rem; }
    .scroll { overflow-x: auto; margin: 8px -20px -6px; padding: 0 10px 6px; }
    .history-table .scroll { margin-inline: 0; padding-inline: 0; }
    th, td { padding: 6px 10px; text-align: right; vertical-align: top; }
    th:first-child { text-align: left; }
    thead th { color: var(--muted); font-weight: 500; font-size: .8rem; padding-block: 4px; }
    tbody th { font-weight: 560; } tbody th small { display: block; color: var(--muted); font-weight: 400; overflow-wrap: anywhere; }
    tbody tr { border-top: 1px solid var(--line); }
    .sensors td { white-space: nowrap; }
    td.bad { color: var(--bad); font-weight: 600; }
    .none, .foot { color: var(--muted); font-size: .88rem; } .none { margin-top: 8px; }
    .foot { margin-top: 20px; }
    .sky-plot { height: 260px; margin-top: 8px; }
    details { font-size: .88rem; } summary { cursor: pointer; width: fit-content; padding: 6px 0; color: var(--muted); }
    @media (max-width: 1000px) {
      .map-card, .learned, .sensors, .sky { grid-column: span 12; }
      .now { grid-template-columns: repeat(4, minmax(0, 1fr)); } .now .wide { grid-column: span 2; }
      .now .wide:last-child { order: -1; }
      .now .wide:first-child { order: -2; }
    }
    @media (max-width: 720px) {
      .masthead-inner, main { padding-inline: 12px; } .masthead-inner { gap: 10px; } main { padding-top: 14px; }
      .brand span { display: none; }
      .live { gap: 12px; } .card { padding: 14px; border-radius: 10px; } .view { padding: 0; }
      .bar-top, .hint, .history-table { padding-inline: 14px; }
      .now { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px 16px; }
      .scroll { margin-inline: -14px; padding-inline: 4px; } .map-card .map-box { min-height: 380px; } .chart { height: 220px; }
    }
    @media (max-width: 460px) { .clock .date { display: none; } }

    """#
}

import Pages

/// How the page looks, beside what all our pages have in common.
enum ReportStyle {
  /// The style sheet. The script draws with the same custom properties.
  static let css = PageStyle.css + report

  private static let report = #"""

    .tabs { display: flex; gap: 2px; overflow-x: auto; scrollbar-width: thin; min-width: 0; align-self: stretch; }
    .tabs button { flex: none; border: 0; border-radius: 0; background: none; color: var(--muted); white-space: nowrap;
      max-width: 240px; overflow: hidden; text-overflow: ellipsis; padding: 0 12px; min-height: 48px; border-bottom: 2px solid transparent; border-top: 2px solid transparent; }
    .tabs button:hover { color: var(--ink); background: none; }
    .tabs button[aria-selected=true] { color: var(--ink); font-weight: 620; border-bottom-color: var(--causal); }
    .tabs button:focus-visible { outline-offset: -4px; }
    .panel { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
    .panel + .panel { margin-top: 48px; } .has-tabs .panel { margin-top: 0; }
    .drive-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: 16px 40px;
      margin-bottom: 4px; }
    .kind { color: var(--muted); font-size: .84rem; font-weight: 560; }
    .kind::first-letter { text-transform: uppercase; }
    .place { color: var(--muted); max-width: 62ch; margin-top: 4px; }
    .facts { display: flex; gap: 28px; flex-wrap: wrap; }
    dt { color: var(--muted); font-size: .8rem; line-height: 1.3; }
    dd { font-variant-numeric: tabular-nums; font-weight: 600; }
    .headline { display: grid; gap: 16px; grid-template-columns: repeat(4, minmax(0, 1fr)); }
    .figure h2 { font-weight: 560; color: var(--muted); font-size: .88rem; }
    .figure h2 small { font-size: .78rem; font-weight: 400; margin-left: 2px; }
    .big { display: flex; align-items: baseline; gap: 5px; margin: 4px 0 10px; flex-wrap: wrap; }
    .big b { font-size: 2.3rem; line-height: 1.1; font-weight: 680; letter-spacing: -.03em; color: var(--causal);
      font-variant-numeric: tabular-nums; }
    .big > span:not(.badge) { color: var(--muted); }
    .big .badge { margin-left: auto; align-self: center; }
    .badge { display: inline-block; font-size: .8rem; font-weight: 600; line-height: 1; padding: 5px 8px;
      border-radius: 99px; white-space: nowrap; background: var(--faint); color: var(--muted); }
    .badge.better { background: var(--good-back); color: var(--good); }
    .badge.worse { background: var(--bad-back); color: var(--bad); }
    .pair { display: grid; grid-template-columns: auto minmax(24px, 1fr) auto; gap: 4px 10px; align-items: center;
      font-size: .8rem; color: var(--muted); font-variant-numeric: tabular-nums; }
    .pair > span:nth-of-type(even) { text-align: right; color: var(--ink); }
    .bar { display: block; height: 6px; border-radius: 3px; background: var(--faint); position: relative; }
    .bar > i { display: block; height: 100%; border-radius: 3px; min-width: 2px; }
    .bar .causal { background: var(--causal); } .bar .gnss { background: var(--gnss); }
    .bar.mark::after { content: ""; position: absolute; left: var(--mark); top: -3px; bottom: -3px; width: 2px;
      margin-left: -1px; background: var(--ink); box-shadow: 0 0 0 1px var(--card); }
    th .swatch { margin-right: 9px; }
    .swatch.gnss { background: var(--gnss); } .swatch.causal { background: var(--causal); }
    .swatch.truth { background: var(--truth); } .swatch.fixedLag { background: var(--fixedLag); }
    .swatch.full { background: var(--full); } .swatch.receiver { background: var(--receiver); }
    .swatch.track { background: var(--track); }
    .swatch.arrows { width: 0; height: 0; border-radius: 0; background: none; border: 5px solid transparent;
      border-left: 9px solid var(--causal); border-right: 0; }
    .readout { display: grid; grid-template-columns: minmax(76px, .6fr) repeat(5, minmax(0, 1fr)); gap: 2px 16px;
      padding: 10px 20px; border-bottom: 1px solid var(--line); }
    .readout dt, .readout dd { white-space: nowrap; }
    .readout dd.causal { color: var(--causal); }
    .chart { height: 300px; touch-action: pan-y; cursor: crosshair; }
    .chart-buttons { display: flex; gap: 6px; flex-wrap: wrap; }
    .chart-top { padding-bottom: 4px; }
    .segmented { display: flex; margin-right: 8px; }
    .segmented button { border-radius: 0; } .segmented button:first-child { border-radius: 8px 0 0 8px; }
    .segmented button:last-child { border-radius: 0 8px 8px 0; margin-left: -1px; }
    .segmented button[aria-pressed=true] { background: var(--faint); font-weight: 620; }
    .scroll { overflow-x: auto; margin: 8px -20px -6px; padding: 0 10px 6px; }
    th, td { padding: 8px 10px; text-align: right; white-space: nowrap; }
    thead th { color: var(--muted); font-weight: 500; font-size: .8rem; padding-block: 4px; vertical-align: bottom; }
    th[scope=colgroup] { position: relative; text-align: center; }
    th[scope=colgroup]::after { content: ""; position: absolute; inset: auto 10px 0; border-bottom: 1px solid var(--line); }
    tr > th:first-child[rowspan], tbody th { text-align: left; }
    .big b.missing { color: var(--muted); font-weight: 400; }
    tbody th { font-weight: 560; } tbody th a { display: inline-block; white-space: normal; max-width: 260px; overflow-wrap: anywhere; } tbody th small { display: block; color: var(--muted); font-weight: 400; }
    tbody tr { border-top: 1px solid var(--line); }
    td.strong { font-weight: 680; }
    .notes ul { padding-left: 1.1em; margin-top: 6px; color: var(--muted); max-width: 90ch; overflow-wrap: anywhere; }
    .notes li::marker { color: var(--line); }
    .card > .scroll:first-child { margin-top: -6px; }
    .fig-group { display: grid; gap: 12px; margin-top: 12px; } .fig-group > h2 { font-size: 1.15rem; }
    .figs { display: grid; gap: 16px; grid-template-columns: repeat(3, minmax(0, 1fr)); }
    .fig { margin: 0; padding: 12px 12px 8px; display: flex; flex-direction: column; }
    .fig.large { grid-column: 1 / -1; }
    .fig-head { display: flex; justify-content: space-between; align-items: start; gap: 8px; margin-bottom: 6px; min-height: 32px; }
    .fig h3 { margin: 4px 0 0; font-size: .9rem; font-weight: 620; line-height: 1.3; }
    .fig-head div { display: flex; gap: 4px; flex: none; } .fig-head button { min-height: 28px; padding: 1px 8px; font-size: .78rem; color: var(--muted); }
    .fig figcaption { flex: 1; display: flex; flex-direction: column; font-size: .8rem; color: var(--muted); } .fig figcaption p { margin: 4px 0; overflow-wrap: anywhere; }
    .fig details { margin-top: auto; } .fig summary { cursor: pointer; width: fit-content; padding: 4px 0; } .fig .scroll { margin: 4px -12px 0; padding: 0 6px; }
    .fig th, .fig td { padding: 4px 6px; font-size: .78rem; }
    .scripted .still, .js-only { display: none; } .scripted .js-only { display: revert; }
    :not(.scripted) > main .view { display: none; } .scripted > main .view { display: block; }
    @media (max-width: 1100px) { .figs { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
    @media (max-width: 720px) { .figs { grid-template-columns: minmax(0, 1fr); gap: 12px; } }
    @media (max-width: 1100px) { .headline { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
    @media (max-width: 720px) {
      .tabs { scrollbar-width: none; } tbody th a { max-width: 132px; }
      tbody th { white-space: normal; min-width: 112px; max-width: 150px; overflow-wrap: break-word; }
      tbody th, thead tr:first-child th:first-child { position: sticky; left: 0; background: var(--card); z-index: 1; }
      .masthead-inner, main { padding-inline: 12px; }
      .masthead-inner { gap: 12px; } .tabs button { padding: 0 9px; }
      main { padding-top: 18px; }
      .has-tabs .brand span { display: none; }
      .card { padding: 14px; border-radius: 10px; } .view { padding: 0; }
      .bar-top { padding-inline: 14px; } .hint { padding-inline: 14px; }
      .headline { gap: 10px; grid-template-columns: minmax(0, 1fr); } .panel { gap: 12px; }
      .figure { display: block; } .big b { font-size: 2rem; }
      .readout { grid-template-columns: repeat(3, minmax(0, 1fr)); padding-inline: 14px; gap: 6px 12px; }
      .map { height: 400px; } .chart { height: 260px; }
      .scroll { margin-inline: -14px; padding-inline: 4px; } .readout dt { font-size: .74rem; }
    }
    @media print {
      :root { color-scheme: light; --page: #ffffff; --card: #ffffff; --ink: #121821; --muted: #46515e; --line: #dde3ea; --faint: #eef1f5;
        --gnss: #d96f0b; --causal: #0a5fd8; --truth: #2a323d; --fixedLag: #a0429a; --receiver: #8a6a00; --track: #8b2f73;
        --full: #0b8467; --good: #0b6b53; --good-back: #e0f3ec; --bad: #a63a12; --bad-back: #fdeae1; --shadow: none; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .masthead { position: static; } .tabs, .view, .fig-head div, .fig details, .skip { display: none !important; }
      .panel[hidden] { display: grid !important; } .panel + .panel { break-before: page; }
      .scripted .still { display: grid; } .figs { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
      .headline { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .card { break-inside: avoid; box-shadow: none; } .fig-group > h2 { break-after: avoid; }
      .scroll { overflow: visible; } th, td, thead th, tbody th small { font-size: 9px; padding: 3px 4px; white-space: normal; }
    }

    """#
}

/// How our pages look: system fonts, light and dark, colours that stay apart for the colour-blind.
package enum PageStyle {
  /// The style sheet. Scripts draw with the same custom properties.
  package static let css = #"""

    :root {
      color-scheme: light dark;
      --page: #f3f5f8; --card: #ffffff; --ink: #121821; --muted: #5b6775; --line: #dde3ea; --faint: #eef1f5;
      --map: #fafbfc; --grid: #e6ebf0; --gnss: #d96f0b; --causal: #0a5fd8; --truth: #2a323d; --fixedLag: #a0429a;
      --receiver: #8a6a00; --track: #8b2f73; --full: #0b8467; --good: #0b6b53; --good-back: #e0f3ec; --bad: #a63a12; --bad-back: #fdeae1;
      --green: #e2efdb; --water: #c9e0f2; --house: #ebe6df; --road: #ffffff; --main: #fbeec9; --edge: #c9d1da; --street: #4a5561;
      --shadow: 0 1px 2px rgb(16 24 40 / .06), 0 1px 8px rgb(16 24 40 / .04);
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0c1015; --card: #151b23; --ink: #e9eef4; --muted: #98a5b3; --line: #2a333e; --faint: #1d242d;
        --map: #10161d; --grid: #1e2731; --gnss: #f7a14a; --causal: #5aa8ff; --truth: #d5dce4; --fixedLag: #e08bd9;
        --receiver: #e3c04c; --track: #f08bd2; --full: #3fcaa4; --good: #66d9b5; --good-back: #12342a; --bad: #ffa37f; --bad-back: #3d2015; --shadow: none;
        --green: #14261c; --water: #143049; --house: #1b232d; --road: #36434f; --main: #57492e; --edge: #28323d; --street: #aab6c2;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 var(--sans);
      -webkit-text-size-adjust: 100%; }
    h1, h2, p, dl, dd, ul { margin: 0; }
    h1 { font-size: clamp(1.6rem, 3.4vw, 2.15rem); line-height: 1.15; font-weight: 680; letter-spacing: -.02em;
      overflow-wrap: anywhere; }
    h2 { font-size: .95rem; font-weight: 620; letter-spacing: -.005em; }
    a { color: var(--causal); text-underline-offset: .15em; }
    :focus-visible { outline: 2px solid var(--causal); outline-offset: 2px; }
    .masthead { position: sticky; top: 0; z-index: 5; background: var(--card); border-bottom: 1px solid var(--line); }
    .masthead-inner, main { max-width: 1200px; margin: 0 auto; padding: 0 24px; }
    .masthead-inner { display: flex; align-items: center; gap: 24px; min-height: 48px; }
    .brand { display: flex; align-items: center; gap: 8px; font-weight: 700; white-space: nowrap; }
    .brand svg { width: 18px; fill: var(--causal); transform: rotate(45deg); }
    .brand span { color: var(--muted); font-weight: 400; }
    main { padding-top: 28px; padding-bottom: 56px; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px;
      box-shadow: var(--shadow); min-width: 0; }
    button { font: inherit; font-size: .84rem; color: var(--ink); background: var(--card); border: 1px solid var(--line);
      border-radius: 8px; padding: 4px 10px; min-height: 32px; min-width: 34px; cursor: pointer; }
    button:hover { background: var(--faint); }
    .view { padding: 0; overflow: hidden; }
    .bar-top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 8px 24px;
      padding: 12px 20px; }
    .layers { display: flex; flex-wrap: wrap; gap: 6px; }
    .layers button { display: inline-flex; align-items: center; gap: 7px; border-radius: 99px; padding: 2px 11px; }
    .layers button[aria-pressed=false] { color: var(--muted); background: none; border-style: dashed; }
    .layers button[aria-pressed=false] .swatch { opacity: .3; }
    .swatch { display: inline-block; width: 14px; height: 4px; border-radius: 2px; vertical-align: middle;
      background: var(--muted); flex: none; }
    button .swatch.gnss { width: 8px; height: 8px; border-radius: 50%; }
    .swatch.streets { height: 6px; background: var(--road); border: solid var(--muted); border-width: 1px 0; border-radius: 0; }
    .swatch.circles { width: 12px; height: 12px; border-radius: 50%; border: 1.5px solid var(--causal);
      background: color-mix(in srgb, var(--causal) 18%, transparent); }
    .map-box { position: relative; border-block: 1px solid var(--line); background: var(--map); }
    canvas { display: block; width: 100%; }
    canvas:focus-visible { outline-offset: -3px; }
    .map { height: clamp(340px, 58vh, 620px); touch-action: pan-x pan-y; cursor: crosshair; }
    .map.panning { cursor: grabbing; }
    .credit { position: absolute; left: 8px; top: 8px; max-width: calc(100% - 72px); padding: 1px 7px; border-radius: 6px; font-size: .74rem;
      color: var(--muted); background: var(--card); overflow-wrap: anywhere; pointer-events: none; }
    .map-buttons { position: absolute; right: 14px; bottom: 14px; display: grid; gap: 6px; }
    .map-buttons button { box-shadow: var(--shadow); }
    table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
    .notice { background: var(--faint); border-radius: 8px; padding: 10px 14px; margin-bottom: 16px; }
    .hint { color: var(--muted); font-size: .82rem; padding: 4px 20px 14px; }
    @media (hover: none) { .mouse-only { display: none; } }
    @media (hover: hover) { .touch-only { display: none; } }
    .skip { position: absolute; left: -999px; } .skip:focus { left: 12px; top: 8px; z-index: 9; background: var(--card); padding: 6px 12px; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    """#
}

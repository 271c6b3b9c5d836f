/// How figures look, in the page and as files of their own.
enum FigureStyle {
  static let css = #"""

    :root, .figure-svg { --f-ink: #121821; --f-muted: #5b6775; --f-grid: #e6ebf0; --f-paper: #ffffff; --f-gnss: #d96f0b;
      --f-causal: #0a5fd8; --f-truth: #2a323d; --f-fixedLag: #a0429a; --f-receiver: #8a6a00; --f-track: #8b2f73;
      --f-full: #0b8467; --f-bad: #c22f0c; --g-green: #e6f1e0; --g-water: #cfe3f3; --g-minor: #dfe4ea; --g-medium: #cdd5de;
      --g-major: #ecd9a4; --g-motorway: #e8bd74; }
    @media screen and (prefers-color-scheme: dark) { :root, .figure-svg { --f-ink: #e9eef4; --f-muted: #98a5b3;
      --f-grid: #2a333e; --f-paper: #151b23; --f-gnss: #f7a14a; --f-causal: #5aa8ff; --f-truth: #d5dce4; --f-fixedLag: #e08bd9;
      --f-receiver: #e3c04c; --f-track: #f08bd2; --f-full: #3fcaa4; --f-bad: #ff7d5c; } }
    .figure-svg { display: block; width: 100%; height: auto; font: 10.5px system-ui, -apple-system, "Segoe UI", Roboto,
      "Noto Sans", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
    .figure-svg text { fill: var(--f-muted); } .figure-svg .said { fill: var(--f-muted); font-style: italic; }
    .figure-svg .name { fill: var(--f-ink); }
    .figure-svg .paper { fill: var(--f-paper); }
    .figure-svg path { fill: none; stroke-linejoin: round; stroke-linecap: round; }
    .figure-svg .grid { stroke: var(--f-grid); stroke-width: 1; } .figure-svg .axis, .figure-svg .tick { stroke: var(--f-muted); stroke-width: 1; }
    .figure-svg .line { stroke: var(--k); stroke-width: 1.3; } .figure-svg .key { stroke-width: 2.5; }
    .figure-svg .dots { stroke: var(--k); } .figure-svg .dashed { stroke-dasharray: 4 3; }
    .figure-svg .band { fill: var(--k); fill-opacity: .16; stroke: none; } .figure-svg .cell { fill: var(--k); stroke: none; }
    .figure-svg .gnss { --k: var(--f-gnss); } .figure-svg .causal { --k: var(--f-causal); } .figure-svg .truth { --k: var(--f-truth); }
    .figure-svg .fixedLag { --k: var(--f-fixedLag); } .figure-svg .receiver { --k: var(--f-receiver); }
    .figure-svg .track { --k: var(--f-track); } .figure-svg .full { --k: var(--f-full); } .figure-svg .bad { --k: var(--f-bad); }
    .figure-svg .c1 { --k: var(--f-causal); } .figure-svg .c2 { --k: var(--f-gnss); } .figure-svg .c3 { --k: var(--f-full); }
    .figure-svg .bound { --k: var(--f-bad); } .figure-svg .zero { --k: var(--f-muted); stroke-width: .7; }
    .figure-svg .fan { --k: var(--f-causal); stroke-width: .8; stroke-opacity: .3; }
    .figure-svg .thick { stroke-width: 4; stroke-opacity: .45; }
    .figure-svg .values tspan { fill: var(--k, var(--f-ink)); font-weight: 600; }
    .figure-svg .ground { stroke: var(--g-minor); stroke-width: .5; } .figure-svg .ground.minor { stroke-width: 1; }
    .figure-svg .ground.green { fill: var(--g-green); stroke: none; } .figure-svg .ground.water { fill: var(--g-water); stroke: none; }
    .figure-svg .ground.stream { stroke: var(--g-water); stroke-width: 1; } .figure-svg .ground.medium { stroke: var(--g-medium); stroke-width: 1.4; }
    .figure-svg .ground.major { stroke: var(--g-major); stroke-width: 2; } .figure-svg .ground.motorway { stroke: var(--g-motorway); stroke-width: 2.6; }
    .figure-svg .ground.path, .figure-svg .ground.tunnel { stroke-dasharray: 2 1.6; stroke-linecap: butt; } .figure-svg .ground.rail { stroke: var(--g-medium); }
    .figure-svg .credit { font-size: 7px; }
    .figure-svg .cursor { stroke: var(--f-ink); stroke-width: 1; stroke-opacity: .7; }

    """#
}

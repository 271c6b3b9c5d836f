extension ReportScript {
  /// Figures over time, which zoom and say their values, and the buttons of all.
  static let figures = #"""
    // A figure over time: it follows the window and the cursor of its drive, and says its values there.
    class TimeFigure {
      constructor(figure, drive) {
        Object.assign(this, { drive, left: 46, right: 350, top: 36, bottom: 208 });   // as FigurePlot has them
        const { from, to, low, high, scale } = figure.dataset, svg = this.svg = figure.querySelector('svg');
        [this.start, this.end, this.low, this.high] = [from, to, low, high].map(Number);
        this.scale = scale;
        const make = (name, kind) => {
          const made = document.createElementNS(svg.namespaceURI, kind); made.setAttribute('class', name); svg.append(made); return made;
        };
        this.line = make('cursor', 'path'); this.values = make('values', 'text');
        this.values.setAttribute('x', this.right); this.values.setAttribute('y', 12); this.values.setAttribute('text-anchor', 'end');
        this.plot = svg.querySelector('.plot'); this.marks = svg.querySelector('.marks'); this.wholeMarks = this.marks.innerHTML;
        this.paths = [...this.plot.querySelectorAll('path')].map(path => ({ path, whole: path.getAttribute('d') }));
        // What lies outside of the window is cut off by an inner picture with the same units.
        const frame = this.frame = document.createElementNS(svg.namespaceURI, 'svg'), width = this.right - this.left;
        for (const [name, value] of Object.entries({ x: this.left, y: 0, width, height: this.bottom + 1, overflow: 'visible',
          viewBox: [this.left, 0, width, this.bottom + 1].join(' ') })) frame.setAttribute(name, value);
        this.plot.replaceWith(frame); frame.append(this.plot);
        this.listen();
      }
      // The part of the time that is shown.
      get window() { const { drive } = this; return drive.zoomed ? [drive.from, drive.to] : [this.start, this.end]; }
      px(t) { const [from, to] = this.window; return this.left + (t - from) / (to - from) * (this.right - this.left); }
      time(event) {
        const box = this.svg.getBoundingClientRect(), [from, to] = this.window;
        return clamp(from + ((event.clientX - box.left) / box.width * 360 - this.left) / (this.right - this.left) * (to - from), from, to);
      }
      listen() {
        const { svg, drive } = this;
        let drag = null;
        svg.addEventListener('pointerdown', event => {
          if (event.pointerType === 'mouse' && event.button === 0) drag = { x: event.clientX, t: this.time(event) };
        });
        svg.addEventListener('pointermove', event => drive.setCursor(this.time(event)));
        svg.addEventListener('pointerup', event => {
          if (drag && Math.abs(event.clientX - drag.x) > 6) {
            const t = this.time(event);
            drive.setWindow(Math.min(t, drag.t), Math.max(t, drag.t));
          }
          drag = null;
        });
        svg.addEventListener('pointerleave', () => { drag = null; drive.setCursor(null); });
        svg.addEventListener('dblclick', () => drive.setWindow(drive.start, drive.end));
      }
      draw() {
        const key = this.window.join();
        if (key !== this.key) { if (this.key !== undefined || this.drive.zoomed) this.zoom(); this.key = key; }
        const t = this.drive.cursor, [from, to] = this.window, isIn = t !== null && t >= from && t <= to;
        this.line.setAttribute('d', isIn ? `M${this.px(t).toFixed(1)} ${this.top}V${this.bottom}` : '');
        this.say(isIn ? t : null);
      }
      zoom() {
        const { drive, left, right } = this, [from, to] = this.window;
        const share = (this.end - this.start) / (to - from), shift = (from - this.start) / (to - from) * (right - left);
        for (const { path, whole } of this.paths) path.setAttribute('d', !drive.zoomed ? whole
          : whole.replace(/([MLH])(-?[\d.]+)/g, (_, letter, x) => letter + (left + (x - left) * share - shift).toFixed(1)));
        this.frame.setAttribute('overflow', drive.zoomed ? 'hidden' : 'visible');
        if (!drive.zoomed) { this.marks.innerHTML = this.wholeMarks; return; }
        const step = TIME_STEPS.find(step => (to - from) / step <= 6) || 7200;
        let marks = '';
        for (let t = Math.ceil(from / step - 1e-9) * step; t <= to + 1e-9; t += step) {
          const x = this.px(t).toFixed(1);
          marks += `<path class="tick" d="M${x} ${this.bottom}v3"/><text x="${x}" y="${this.bottom + 14}" text-anchor="middle">${clock(t, step < 1 ? 1 : 0)}</text>`;
        }
        this.marks.innerHTML = marks;
      }
      // Curves with their points on the whole drive, read when they are first asked for.
      get curves() {
        return this.read ??= this.paths.filter(({ path }) => path.matches('.line, .dots') && !path.matches('.zero, .bound'))
          .map(({ path, whole }) => ({ style: path.getAttribute('class').split(' ')[1],
            points: [...whole.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(found => [Number(found[1]), Number(found[2])]) }))
          .filter(curve => curve.points.length > 2);
      }
      // The value of the axis at a height of the figure.
      value(y) {
        const share = (this.bottom - y) / (this.bottom - this.top), { low, high, scale } = this;
        return scale === 'logarithmic' ? low * (high / low) ** share : low + (high - low) * (scale === 'squareRoot' ? share * share : share);
      }
      say(t) {
        if (t === null) { if (this.values.firstChild) this.values.replaceChildren(); return; }
        const x = this.left + (t - this.start) / (this.end - this.start) * (this.right - this.left), said = [];
        for (const { style, points } of this.curves) {
          let best = null;
          for (const point of points) if (Math.abs(point[0] - x) <= 2 && (!best || Math.abs(point[0] - x) < Math.abs(best[0] - x))) best = point;
          if (best && said.length < 4) said.push([style, Number(this.value(best[1]).toPrecision(2)).toString()]);
        }
        this.values.replaceChildren(clock(t, 1), ...said.map(([style, text]) => {
          const span = document.createElementNS(this.svg.namespaceURI, 'tspan');
          span.setAttribute('class', style); span.setAttribute('dx', 7); span.textContent = text;
          return span;
        }));
      }
    }
    const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600];
    class TimeFigures {
      constructor(panel, drive) {
        // Those for paper stand still.
        this.figures = [...panel.querySelectorAll('.figs:not(.still) .fig[data-from]')].map(figure => new TimeFigure(figure, drive));
      }
      draw() { for (const figure of this.figures) figure.draw(); }
    }

    function addFigureButtons() {
      for (const figure of document.querySelectorAll('.fig')) {
        const box = document.createElement('div'), title = figure.querySelector('h3').textContent;
        const button = (text, label, action) => {
          const made = document.createElement('button');
          made.type = 'button'; made.textContent = text; made.setAttribute('aria-label', label + ': ' + title);
          made.addEventListener('click', () => action(made)); box.append(made);
          return made;
        };
        button('Enlarge', 'Enlarge', made => {
          const large = figure.classList.toggle('large');
          made.textContent = large ? 'Shrink' : 'Enlarge'; made.setAttribute('aria-pressed', large);
          figure.scrollIntoView({ block: 'nearest' });
        }).setAttribute('aria-pressed', false);
        button('SVG', 'Save as SVG', () => saveFigure(figure));
        figure.querySelector('.fig-head').append(box);
      }
    }
    function saveFigure(figure) {
      const svg = figure.querySelector('svg').cloneNode(true), style = document.createElement('style');
      svg.querySelectorAll('.cursor, .values').forEach(mark => mark.remove());
      style.textContent = document.getElementById('figure-style').textContent;
      svg.prepend(style); svg.setAttribute('width', 720);
      const link = document.createElement('a'), panel = figure.closest('.panel');
      link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }));
      link.download = (panel.dataset.name || 'report') + '-' + figure.dataset.name + '.svg';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    """#
}

extension ReportScript {
  /// The cursor in figures over time, and their buttons.
  static let figures = #"""
    // The cursor of a drive, in every figure over time.
    class FigureCursors {
      constructor(panel, drive) {
        this.drive = drive;
        const [left, right, top, bottom] = [46, 350, 36, 208];   // as FigurePlot has them
        this.figures = [...panel.querySelectorAll('.fig[data-from]')].map(figure => {
          const svg = figure.querySelector('svg'), line = document.createElementNS(svg.namespaceURI, 'path');
          line.setAttribute('class', 'cursor'); svg.append(line);
          const from = Number(figure.dataset.from), to = Number(figure.dataset.to);
          svg.addEventListener('pointermove', event => {
            const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * 360;
            drive.setCursor(clamp(from + (x - left) / (right - left) * (to - from), from, to));
          });
          svg.addEventListener('pointerleave', () => drive.setCursor(null));
          return { line, place: t => left + (t - from) / (to - from) * (right - left), from, to, top, bottom };
        });
      }
      draw() {
        const t = this.drive.cursor;
        for (const { line, place, from, to, top, bottom } of this.figures)
          line.setAttribute('d', t === null || t < from || t > to ? '' : `M${place(t).toFixed(1)} ${top}V${bottom}`);
      }
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
      svg.querySelectorAll('.cursor').forEach(line => line.remove());
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

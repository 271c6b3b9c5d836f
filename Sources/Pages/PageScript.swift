/// What the scripts of our pages have in common. A page's own script declares `COLOURS`, the custom
/// properties that it draws with.
package enum PageScript {
  /// Canvases, the map in metres, and streets under it.
  package static let source = surface + map + StreetScript.source

  /// The colours, and a canvas.
  private static let surface = #"""
    const PAGE_COLOURS = ['ink', 'muted', 'line', 'card', 'map', 'grid', 'green', 'water', 'house', 'road', 'main', 'edge', 'street'];
    const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
    const niceStep = rough => {
      const power = 10 ** Math.floor(Math.log10(rough));
      return [1, 2, 5, 10].map(m => m * power).find(s => s >= rough * 0.999);
    };
    const FONT = getComputedStyle(document.documentElement).getPropertyValue('--sans');
    let palette = {};
    function readPalette() {
      const style = getComputedStyle(document.documentElement);
      for (const name of COLOURS)
        palette[name] = style.getPropertyValue('--' + name).trim();
    }

    // A canvas as sharp as the screen; draws in CSS pixels.
    class Surface {
      constructor(canvas, drive) {
        this.canvas = canvas; this.drive = drive; this.context = canvas.getContext('2d');
        this.width = this.height = 0;
        new ResizeObserver(() => { this.resize(); drive.changed(); }).observe(canvas);
      }
      resize() {
        const ratio = window.devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
        if (!box.width) return;
        const before = { width: this.width, height: this.height };
        this.width = box.width; this.height = box.height;
        this.canvas.width = Math.round(box.width * ratio); this.canvas.height = Math.round(box.height * ratio);
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.resized(before);
      }
      resized() {}
      place(event) { const box = this.canvas.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; }
      text(string, x, y, { align = 'left', base = 'alphabetic', colour = palette.muted, halo = null, size = 11.5, weight = 400 } = {}) {
        const c = this.context;
        c.font = `${weight} ${size}px ${FONT}`; c.textAlign = align; c.textBaseline = base;
        if (halo) { c.strokeStyle = halo; c.lineWidth = 3; c.lineJoin = 'round'; c.strokeText(string, x, y); }
        c.fillStyle = colour; c.fillText(string, x, y);
      }
    }

    """#

  /// A map in metres: grid, scale and north, zoom and pan by wheel, pointers, keys and buttons.
  private static let map = #"""
    class MetricMap extends Surface {
      constructor(canvas, drive, panel) {
        super(canvas, drive);
        this.x = this.y = 0; this.scale = 1;           // metres at the centre; pixels per metre
        this.streets = null;                           // from a file of tiles, where there is one
        this.pointers = new Map();
        this.listen(panel);
      }
      fit() {}
      pick() {}                                        // the pointer is there, or tapped there
      get actions() { return {}; }                     // of further keys
      px(x) { return (x - this.x) * this.scale + this.width / 2; }
      py(y) { return (this.y - y) * this.scale + this.height / 2; }
      zoom(factor, at = { x: this.width / 2, y: this.height / 2 }) {
        const next = clamp(this.scale * factor, 1e-4, 2000), dx = at.x - this.width / 2, dy = at.y - this.height / 2;
        this.x += dx / this.scale - dx / next; this.y -= dy / this.scale - dy / next;
        this.scale = next;
        this.drive.changed();
      }
      pan(dx, dy) { this.x -= dx / this.scale; this.y += dy / this.scale; this.drive.changed(); }

      listen(panel) {
        const { canvas } = this;
        canvas.addEventListener('wheel', event => {
          if (!event.ctrlKey && !event.metaKey) return;   // the wheel alone is the page's
          event.preventDefault();
          this.zoom(Math.exp(-clamp(event.deltaY * (event.deltaMode ? 24 : 1), -240, 240) * 0.0022), this.place(event));
        }, { passive: false });
        canvas.addEventListener('touchstart', event => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
        canvas.addEventListener('pointerdown', event => {
          canvas.setPointerCapture(event.pointerId);
          this.pointers.set(event.pointerId, this.place(event));
        });
        canvas.addEventListener('pointermove', event => this.moved(event));
        for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, event => {
          const tapped = end === 'pointerup' && !canvas.classList.contains('panning') && this.pointers.size === 1;
          this.pointers.delete(event.pointerId); canvas.classList.remove('panning');
          if (tapped) this.pick(this.place(event));
        });
        canvas.addEventListener('dblclick', event => this.zoom(event.shiftKey ? 0.5 : 2, this.place(event)));
        canvas.addEventListener('keydown', event => {
          const actions = { ArrowLeft: () => this.pan(60, 0), ArrowRight: () => this.pan(-60, 0), ArrowUp: () => this.pan(0, 60),
            ArrowDown: () => this.pan(0, -60), '+': () => this.zoom(1.4), '=': () => this.zoom(1.4), '-': () => this.zoom(1 / 1.4),
            0: () => this.fit(), ...this.actions };
          if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
          event.preventDefault(); actions[event.key]();
        });
        for (const [name, action] of Object.entries({ in: () => this.zoom(1.5), out: () => this.zoom(1 / 1.5), fit: () => this.fit() }))
          panel.querySelector(`[data-map=${name}]`).addEventListener('click', action);
      }
      moved(event) {
        const here = this.place(event), last = this.pointers.get(event.pointerId);
        if (!last) { this.pick(here); return; }
        if (this.pointers.size === 2) {
          const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
          const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(here.x - other.x, here.y - other.y);
          if (before > 4 && after > 4) this.zoom(after / before, other);
          this.pan((here.x - last.x) / 2, (here.y - last.y) / 2);
        } else if (event.pointerType === 'touch') { return;   // one finger moves the page
        } else {
          if (!this.canvas.classList.contains('panning') && Math.hypot(here.x - last.x, here.y - last.y) < 4) return;
          this.canvas.classList.add('panning');
          this.pan(here.x - last.x, here.y - last.y);
        }
        this.pointers.set(event.pointerId, here);
      }
      // Streets where there are any and they are wanted, in the frame of metres of the page; else a grid.
      drawGround(isWanted, frame) { if (!(isWanted && this.streets && frame && this.streets.draw(this, frame))) this.drawGrid(); }
      drawGrid() {
        const { context: c } = this, step = niceStep(72 / this.scale);
        c.strokeStyle = palette.grid; c.lineWidth = 1;
        c.beginPath();
        const left = this.x - this.width / 2 / this.scale, bottom = this.y - this.height / 2 / this.scale;
        for (let gx = Math.ceil(left / step) * step; this.px(gx) < this.width; gx += step) {
          const p = Math.round(this.px(gx)) + 0.5; c.moveTo(p, 0); c.lineTo(p, this.height);
        }
        for (let gy = Math.ceil(bottom / step) * step; this.py(gy) > 0; gy += step) {
          const p = Math.round(this.py(gy)) + 0.5; c.moveTo(0, p); c.lineTo(this.width, p);
        }
        c.stroke();
      }
      drawFrame() {
        const { context: c, height } = this, x = 18, y = height - 20;
        const metres = niceStep(60 / this.scale), length = metres * this.scale;
        for (const [colour, width] of [[palette.map, 5], [palette.ink, 1.5]]) {
          c.strokeStyle = colour; c.lineWidth = width; c.lineCap = 'butt'; c.lineJoin = 'miter';
          c.beginPath(); c.moveTo(x, y - 5); c.lineTo(x, y); c.lineTo(x + length, y); c.lineTo(x + length, y - 5); c.stroke();
        }
        const label = metres >= 1000 ? metres / 1000 + ' km' : metres >= 1 ? metres + ' m' : Math.round(metres * 100) + ' cm';
        this.text(label, x + length / 2, y - 7, { align: 'center', colour: palette.ink, halo: palette.map });
        const nx = this.width - 30, ny = 36;
        c.fillStyle = palette.ink;
        c.beginPath(); c.moveTo(nx, ny - 14); c.lineTo(nx + 6, ny + 4); c.lineTo(nx, ny); c.closePath(); c.fill();
        c.strokeStyle = palette.ink; c.lineWidth = 1; c.lineJoin = 'round';
        c.beginPath(); c.moveTo(nx, ny - 14); c.lineTo(nx + 6, ny + 4); c.lineTo(nx, ny); c.lineTo(nx - 6, ny + 4); c.closePath(); c.stroke();
        this.text('N', nx, ny + 17, { align: 'center', colour: palette.ink, halo: palette.map, weight: 600 });
      }
    }

    """#
}

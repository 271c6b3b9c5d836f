extension ReportScript {
  /// The chart of error over time, with the fused position's own bounds behind it.
  static let chart = #"""
    class ErrorChart extends Surface {
      constructor(canvas, drive) {
        super(canvas, drive);
        this.root = true;                              // square-root scale: small errors stay readable beside large ones
        this.drag = null;
        this.listen();
      }
      get plot() { return { left: 52, top: 12, right: this.width - 16, bottom: this.height - 30 }; }
      px(t) { const { left, right } = this.plot; return left + (t - this.drive.from) / (this.drive.to - this.drive.from) * (right - left); }
      time(x) { const { left, right } = this.plot; return this.drive.from + (x - left) / (right - left) * (this.drive.to - this.drive.from); }
      py(e) {
        const { top, bottom } = this.plot, share = clamp(e / this.top, 0, 1);
        return bottom - (this.root ? Math.sqrt(share) : share) * (bottom - top);
      }

      listen() {
        const { canvas, drive } = this;
        canvas.addEventListener('pointerdown', event => {
          if (event.pointerType === 'mouse' && event.button === 0) { this.drag = this.place(event).x; canvas.setPointerCapture(event.pointerId); }
          drive.setCursor(this.time(this.place(event).x));
        });
        canvas.addEventListener('pointermove', event => {
          this.here = this.place(event).x;
          drive.setCursor(clamp(this.time(this.here), drive.from, drive.to));
        });
        canvas.addEventListener('pointerup', event => {
          const from = this.drag, to = this.place(event).x;
          this.drag = null;
          if (from !== null && Math.abs(to - from) > 6) drive.setWindow(this.time(Math.min(from, to)), this.time(Math.max(from, to)));
        });
        canvas.addEventListener('pointercancel', () => { this.drag = null; });
        canvas.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse' && this.drag === null) drive.setCursor(null); });
        canvas.addEventListener('dblclick', () => drive.setWindow(drive.start, drive.end));
        const all = () => drive.setWindow(drive.start, drive.end), slide = by => {
          const d = (drive.to - drive.from) * by; drive.setWindow(drive.from + d, drive.to + d);
        };
        canvas.addEventListener('keydown', event => {
          const far = event.shiftKey ? 10 : 1;
          const actions = { ArrowLeft: () => drive.step(-far), ArrowRight: () => drive.step(far), PageUp: () => slide(-0.5),
            PageDown: () => slide(0.5), Home: () => drive.setCursor(drive.from), End: () => drive.setCursor(drive.to),
            '+': () => drive.zoomWindow(0.6), '=': () => drive.zoomWindow(0.6), '-': () => drive.zoomWindow(1 / 0.6), 0: all,
            Escape: () => drive.setCursor(null) };
          if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
          event.preventDefault(); actions[event.key]();
        });
        const buttons = { in: () => drive.zoomWindow(0.5), out: () => drive.zoomWindow(2), reset: all };
        for (const name in buttons) drive.panel.querySelector(`[data-chart=${name}]`).addEventListener('click', buttons[name]);
        const scales = [...drive.panel.querySelectorAll('[data-scale]')];
        for (const button of scales) button.addEventListener('click', () => {
          this.root = button.dataset.scale === 'sqrt';
          scales.forEach(other => other.setAttribute('aria-pressed', other === button));
          drive.changed();
        });
      }

      // The top of the scale: everything under the root, 95 % of every track on the straight scale.
      get limit() {
        const key = [this.root, this.drive.from, this.drive.to, ...Object.values(this.drive.layers)].join();
        if (key === this.limitKey) return this.limitValue;
        this.limitKey = key;
        const quantile = (list, share) => list.sort((p, q) => p - q)[Math.floor((list.length - 1) * share)] || 0;
        let top = 0;
        for (const track of this.drive.tracks) {
          if (!this.drive.layers[track.role]) continue;
          const values = [], bounds = [];
          for (let i = lowerBound(track, this.drive.from); i < track.n && track.t[i] <= this.drive.to; i++) {
            if (Number.isFinite(track.e[i])) values.push(track.e[i]);
            if (track === this.drive.fused && Number.isFinite(track.b[i])) bounds.push(track.b[i]);
          }
          top = Math.max(top, quantile(values, this.root ? 1 : 0.95), quantile(bounds, this.root ? 0.98 : 0.9));
        }
        this.empty = top === 0;
        return this.limitValue = Math.max(top * 1.06, 0.1);
      }

      draw() {
        if (!this.width) return;
        const { context: c, drive } = this, { left, top, right, bottom } = this.plot;
        this.top = this.limit;
        c.fillStyle = palette.card; c.fillRect(0, 0, this.width, this.height);
        this.drawAxes();
        c.save();
        c.beginPath(); c.rect(left, top - 1, right - left, bottom - top + 2); c.clip();
        if (drive.fused && drive.layers[drive.fused.role]) {
          this.drawBand(drive.fused, 'b', 0.13); this.drawBand(drive.fused, 'a', 0.2);
        }
        for (const track of drive.tracks) if (drive.layers[track.role] && track.role !== 'truth') this.drawError(track);
        c.restore();
        if (this.drag !== null && Math.abs(this.here - this.drag) > 6) {
          const from = clamp(Math.min(this.drag, this.here), left, right), to = clamp(Math.max(this.drag, this.here), left, right);
          c.fillStyle = palette.ink; c.globalAlpha = 0.1; c.fillRect(from, top, to - from, bottom - top); c.globalAlpha = 1;
        }
        if (drive.cursor !== null && drive.cursor >= drive.from && drive.cursor <= drive.to) this.drawCursor(drive.cursor);
        if (!drive.tracks.some(track => track.e.some(Number.isFinite)))
          this.text('No truth to measure the error against', (left + right) / 2, (top + bottom) / 2, { align: 'center', size: 13 });
      }
      drawAxes() {
        const { context: c, drive } = this, { left, top, right, bottom } = this.plot;
        c.strokeStyle = palette.grid; c.lineWidth = 1;
        for (const value of this.empty ? [] : this.ticks()) {
          const y = Math.round(this.py(value)) + 0.5;
          c.beginPath(); c.moveTo(left, y); c.lineTo(right, y); c.stroke();
          this.text(String(Number(value.toPrecision(3))), left - 8, y, { align: 'right', base: 'middle' });
        }
        if (!this.empty) this.text('m', left - 8, top - 1, { align: 'right', base: 'middle', weight: 600 });
        const span = drive.to - drive.from, rough = span / Math.max(2, (right - left) / 72);
        const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600].find(s => s >= rough) || 7200;
        for (let t = Math.ceil(drive.from / step - 1e-9) * step; t <= drive.to + 1e-9; t += step) {
          const x = Math.round(this.px(t)) + 0.5;
          c.beginPath(); c.moveTo(x, bottom); c.lineTo(x, bottom + 4); c.strokeStyle = palette.muted; c.stroke();
          if (x > left - 1 && x < right - 8) this.text(clock(t, step < 1 ? 1 : 0), x, bottom + 18, { align: 'center' });
        }
        c.strokeStyle = palette.muted;
        c.beginPath(); c.moveTo(left, bottom + 0.5); c.lineTo(right, bottom + 0.5); c.stroke();
      }
      // Round values that stay 24 pixels apart, from the top of the scale down.
      ticks() {
        if (!this.root) {
          const step = niceStep(this.top / 6);
          return Array.from({ length: Math.floor(this.top / step) + 1 }, (_, i) => i * step).filter(v => this.py(v) > this.plot.top + 14 || v === 0);
        }
        const chosen = [0];
        let last = this.py(0);
        for (let power = 0.01; power <= 1e6; power *= 10)
          for (const m of [1, 2, 5]) {
            const value = m * power, y = this.py(value);
            if (value < this.top && last - y >= 24 && y > this.plot.top + 14) { chosen.push(value); last = y; }
          }
        return chosen;
      }
      // From zero up to a stated radius; one band for every unbroken stretch.
      drawBand(track, column, alpha) {
        const { context: c } = this, values = track[column];
        const first = Math.max(0, lowerBound(track, this.drive.from) - 1), last = Math.min(track.n - 1, lowerBound(track, this.drive.to) + 1);
        c.fillStyle = palette[track.role]; c.globalAlpha = alpha;
        c.beginPath();
        let open = false, x = 0, lastX = -Infinity, lastT = 0;
        const close = () => { if (open) { c.lineTo(x, this.py(0)); c.closePath(); } open = false; };
        for (let i = first; i <= last; i++) {
          if (!Number.isFinite(values[i]) || (open && track.t[i] - lastT > track.gap)) { close(); if (!Number.isFinite(values[i])) continue; }
          lastT = track.t[i];
          const next = this.px(lastT);
          if (open && next - lastX < 0.4 && i < last) continue;
          x = lastX = next;
          if (!open) c.moveTo(x, this.py(0));
          open = true;
          c.lineTo(x, this.py(values[i]));
        }
        close();
        c.fill();
        c.globalAlpha = 1;
      }
      drawError(track) {
        const { context: c } = this, dots = track.role === 'gnss';
        const first = Math.max(0, lowerBound(track, this.drive.from) - 1), last = Math.min(track.n - 1, lowerBound(track, this.drive.to) + 1);
        const apart = (this.plot.right - this.plot.left) / Math.max(1, last - first);
        c.strokeStyle = c.fillStyle = palette[track.role];
        c.lineWidth = dots ? 1.1 : 1.9; c.lineJoin = 'round'; c.globalAlpha = dots ? 0.85 : 1;
        c.beginPath();
        let lastT = -Infinity;
        const above = [];
        for (let i = first; i <= last; i++) {
          if (!Number.isFinite(track.e[i])) { lastT = -Infinity; continue; }
          const x = this.px(track.t[i]), y = this.py(track.e[i]);
          if (track.t[i] - lastT > track.gap) c.moveTo(x, y); else c.lineTo(x, y);
          if (track.e[i] > this.top) above.push(x);
          lastT = track.t[i];
        }
        c.stroke();
        if (dots && apart > 7) {
          c.beginPath();
          for (let i = first; i <= last; i++) {
            if (!(track.e[i] <= this.top)) continue;
            const x = this.px(track.t[i]), y = this.py(track.e[i]);
            c.moveTo(x + 2.2, y); c.arc(x, y, 2.2, 0, 2 * Math.PI);
          }
          c.fill();
        }
        for (const x of above) {                       // what the scale cuts off is marked at its top
          c.beginPath(); c.moveTo(x - 3, this.plot.top + 5); c.lineTo(x + 3, this.plot.top + 5); c.lineTo(x, this.plot.top); c.fill();
        }
        c.globalAlpha = 1;
      }
      drawCursor(t) {
        const { context: c, drive } = this, x = Math.round(this.px(t)) + 0.5, { top, bottom } = this.plot;
        c.strokeStyle = palette.ink; c.lineWidth = 1; c.globalAlpha = 0.7;
        c.beginPath(); c.moveTo(x, top); c.lineTo(x, bottom); c.stroke(); c.globalAlpha = 1;
        for (const track of drive.tracks) {
          const i = nearest(track, t);
          if (i < 0 || !drive.layers[track.role] || !Number.isFinite(track.e[i])) continue;
          c.fillStyle = palette[track.role]; c.strokeStyle = palette.card; c.lineWidth = 2;
          c.beginPath(); c.arc(this.px(track.t[i]), this.py(track.e[i]), 4.5, 0, 2 * Math.PI); c.fill(); c.stroke();
        }
      }
    }

    """#

  /// The figures at the cursor, and the buttons that switch layers.
  static let readout = #"""
    class Readout {
      constructor(panel, drive) {
        this.drive = drive;
        this.list = panel.querySelector('.readout');
        this.cells = ['Time', 'Fused error', 'Stated 68 | 95 %', 'Speed', 'Course', 'GNSS error'].map((title, i) => {
          const box = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
          dt.textContent = title; if (i === 1) dd.className = 'causal';
          box.append(dt, dd); this.list.append(box);
          return dd;
        });
        const layers = panel.querySelector('.layers');
        for (const name of ['streets', 'gnss', 'causal', 'fixedLag', 'full', 'receiver', 'track', 'truth', 'circles', 'arrows']) {
          if (!(name in drive.layers)) continue;
          const button = document.createElement('button'), swatch = document.createElement('i');
          swatch.className = 'swatch ' + name;
          button.append(swatch, TITLES[name]);
          button.setAttribute('aria-pressed', true);
          button.addEventListener('click', () => {
            drive.layers[name] = !drive.layers[name];
            drive.changed();
          });
          this[name] = button;
          layers.append(button);
        }
      }
      draw() {
        const { drive } = this, { fused, gnss, cursor: t } = drive;
        const f = nearest(fused, t), g = nearest(gnss, t), lead = f >= 0 ? [fused, f] : g >= 0 ? [gnss, g] : null;
        const at = (track, column, i) => i >= 0 ? track[column][i] : NaN;
        const course = lead ? lead[0].c[lead[1]] : NaN, speed = lead ? lead[0].v[lead[1]] : NaN;
        const texts = [t === null ? '–' : clock(t, 1), figure(at(fused, 'e', f), ' m'),
          figure(at(fused, 'a', f), '') + ' | ' + figure(at(fused, 'b', f), ' m'), figure(speed * 3.6, ' km/h'),
          Number.isFinite(course) ? course.toFixed(0) + '°' : '–', figure(at(gnss, 'e', g), ' m')];
        this.cells.forEach((cell, i) => { if (cell.textContent !== texts[i]) cell.textContent = texts[i]; });
        for (const name in drive.layers) if (this[name]) this[name].setAttribute('aria-pressed', drive.layers[name]);
      }
    }

    """#
}

extension LivePageScript {
  /// Radius, mode and speed over time.
  static let history = #"""
    class History extends Surface {
      constructor(canvas, live) { super(canvas, live); this.live = live; this.minute = null; }
      draw() {
        if (this.width) this.drawChart();
        this.fillTable();
      }
      drawChart() {
        const { context: c, live, width, height } = this, { points } = live;
        const left = 46, right = width - 14, end = live.now === undefined ? 0 : live.time;
        const span = 60 * [1, 2, 5, 10].find(m => m === 10 || points.length === 0 || end - points[0].t <= m * 60);   // what there is, in whole minutes
        const at = t => right - (end - t) / span * (right - left);
        const low = height - 24, ribbon = Math.round(height * 0.58), lanes = { radius: [14, ribbon - 10], speed: [ribbon + 20, low] };
        c.fillStyle = palette.card; c.fillRect(0, 0, width, height);
        c.strokeStyle = palette.grid; c.lineWidth = 1;
        const step = span / (width < 500 ? 2 : { 60: 6, 120: 4 }[span] || 5);
        for (let s = 0; s <= span; s += step) {
          const x = Math.round(at(end - s)) + 0.5;
          c.beginPath(); c.moveTo(x, lanes.radius[0]); c.lineTo(x, low); c.stroke();
          this.text(s ? '−' + (span < 300 ? s + ' s' : s / 60 + ' min') : 'now', x, height - 7, { align: s ? s === span ? 'left' : 'center' : 'right' });
        }
        // The radius by tens: what is twice as large is as far above, wherever it is.
        const radii = points.map(p => p.radius).filter(Number.isFinite);
        const floor = Math.floor(Math.log10(Math.max(0.1, Math.min(1, ...radii)))), ceiling = Math.max(floor + 2, Math.ceil(Math.log10(Math.max(1, ...radii))));
        const radiusY = r => lanes.radius[1] - (Math.log10(clamp(r, 10 ** floor, 10 ** ceiling)) - floor) / (ceiling - floor) * (lanes.radius[1] - lanes.radius[0]);
        for (let power = floor; power <= ceiling; power++) {
          const y = Math.round(radiusY(10 ** power)) + 0.5;
          c.beginPath(); c.moveTo(left, y); c.lineTo(right, y); c.stroke();
          const label = power < 0 ? (10 ** power).toFixed(-power) + ' m' : power < 3 ? 10 ** power + ' m' : 10 ** (power - 3) + ' km';
          this.text(label, left - 6, y + 4, { align: 'right' });
        }
        const speeds = points.map(p => p.speed).filter(Number.isFinite).map(v => v * 3.6);
        const most = niceStep(Math.max(20, ...speeds)), speedY = v => lanes.speed[1] - v / most * (lanes.speed[1] - lanes.speed[0]);
        for (const v of [0, most]) {
          const y = Math.round(speedY(v)) + 0.5;
          c.beginPath(); c.moveTo(left, y); c.lineTo(right, y); c.stroke();
          this.text(v ? String(v) : '0', left - 6, y + 4, { align: 'right' });
        }
        this.text('km/h', left + 6, lanes.speed[0] + 4, { halo: palette.card });
        this.text('radius', left + 6, lanes.radius[0] + 4, { halo: palette.card });
        this.drawRibbon(points, at, ribbon);
        this.line(points, at, p => p.radius === null ? null : radiusY(p.radius), palette.causal);
        this.line(points, at, p => p.speed === null ? null : speedY(p.speed * 3.6), palette.muted);
      }
      drawRibbon(points, at, y) {
        const { context: c } = this;
        for (let i = 1; i < points.length; i++) {
          const from = points[i - 1], to = points[i];
          if (to.t - from.t > 3) continue;
          const x = Math.floor(at(from.t)), width = Math.ceil(at(to.t)) - x;
          if (isDead(to.mode)) {                       // striped, not only of another colour
            c.fillStyle = palette.fixedLag; c.fillRect(x, y, width, 3); c.fillRect(x, y + 5, width, 3);
          } else {
            c.fillStyle = to.mode === 'stationary' ? palette.good : palette.causal;
            c.fillRect(x, to.mode === 'stationary' ? y + 2 : y, width, to.mode === 'stationary' ? 4 : 8);
          }
        }
      }
      line(points, at, y, colour) {
        const { context: c } = this;
        c.strokeStyle = colour; c.lineWidth = 2; c.lineJoin = 'round';
        c.beginPath();
        let last = -Infinity;
        for (const point of points) {
          const v = y(point);
          if (v === null) continue;
          if (point.t - last > 3) c.moveTo(at(point.t), v); else c.lineTo(at(point.t), v);
          last = point.t;
        }
        c.stroke();
      }
      // A row every half minute, for who cannot see the chart; only while it is open, and no oftener.
      fillTable() {
        const { live } = this;
        if (!document.querySelector('.history-table').open) { this.minute = null; return; }
        const minute = Math.floor((live.time || 0) / 10);
        if (minute === this.minute) return;
        this.minute = minute;
        const rows = [];
        for (let s = 0; s <= MEMORY; s += 30) {
          const point = live.points.filter(p => Math.abs(live.time - s - p.t) < 5).pop();
          if (point) rows.push([ago(s), (MODES[point.mode] || ['–'])[0], metres(point.radius), point.speed === null ? '–' : (point.speed * 3.6).toFixed(0) + ' km/h']);
        }
        fill($('minutes'), rows);
      }
    }

    """#

  /// The satellites above the car.
  static let sky = #"""
    const CONSTELLATIONS = { 0: ['G', 'GPS'], 1: ['S', 'SBAS'], 2: ['E', 'Galileo'], 3: ['C', 'BeiDou'], 4: ['I', 'IMES'], 5: ['J', 'QZSS'], 6: ['R', 'GLONASS'], 7: ['N', 'NavIC'] };
    class Sky extends Surface {
      constructor(canvas, live) { super(canvas, live); this.live = live; this.shown = undefined; }
      draw() {
        const sky = this.live.engine && this.live.engine.sky;
        if (this.shown !== sky) { this.shown = sky; this.tell(sky); }
        if (sky && this.width) this.plot(sky);
      }
      tell(sky) {
        const strengths = sky ? sky.satellites.filter(s => s[5] && s[4]).map(s => s[4]).sort((a, b) => a - b) : [];
        $('sky-text').textContent = sky ? `${sky.used} used of ${sky.visible} seen` + (sky.hdop ? `, HDOP ${sky.hdop.toFixed(1)}` : '')
          + (strengths.length ? `, median strength ${strengths[strengths.length >> 1]} dB-Hz` : '') : 'The receiver has not told of satellites.';
        $('sky').hidden = $('sky-details').hidden = !sky || !sky.satellites.length;
        const angle = v => v === null ? '–' : v.toFixed(0) + '°';
        fill($('satellites'), (sky ? sky.satellites : []).map(([kind, number, elevation, azimuth, strength, isUsed]) =>
          [`${(CONSTELLATIONS[kind] || ['', 'System ' + kind])[1]} ${number}`, angle(elevation), angle(azimuth),
            strength === null ? '–' : strength + ' dB-Hz', isUsed ? 'yes' : 'no']));
      }
      plot(sky) {
        const { context: c, width, height } = this, x = width / 2, y = height / 2, r = Math.min(x, y) - 22;
        c.fillStyle = palette.card; c.fillRect(0, 0, width, height);
        c.strokeStyle = palette.line; c.lineWidth = 1;
        for (const ring of [1, 2 / 3, 1 / 3]) { c.beginPath(); c.arc(x, y, r * ring, 0, 2 * Math.PI); c.stroke(); }
        c.beginPath(); c.moveTo(x - r, y); c.lineTo(x + r, y); c.moveTo(x, y - r); c.lineTo(x, y + r); c.stroke();
        for (const [name, dx, dy] of [['N', 0, -1], ['E', 1, 0], ['S', 0, 1], ['W', -1, 0]])
          this.text(name, x + dx * (r + 11), y + dy * (r + 11), { align: 'center', base: 'middle' });
        for (const [kind, number, elevation, azimuth, , isUsed] of sky.satellites) {
          if (elevation === null || azimuth === null) continue;
          const out = r * (90 - elevation) / 90, px = x + out * Math.sin(azimuth * Math.PI / 180), py = y - out * Math.cos(azimuth * Math.PI / 180);
          c.beginPath(); c.arc(px, py, 4.5, 0, 2 * Math.PI);
          c.fillStyle = isUsed ? palette.causal : palette.card; c.strokeStyle = isUsed ? palette.causal : palette.muted; c.lineWidth = 1.5;
          c.fill(); c.stroke();
          this.text((CONSTELLATIONS[kind] || ['?'])[0] + number, px + 7, py + 4, { size: 10.5, halo: palette.card, colour: isUsed ? palette.ink : palette.muted });
        }
      }
    }

    """#
}

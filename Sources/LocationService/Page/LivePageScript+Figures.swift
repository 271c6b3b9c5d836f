extension LivePageScript {
  /// The figures, the tables, and what a screen reader is told.
  static let figures = #"""
    const $ = id => document.getElementById(id);
    const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

    // Rows of texts; the first of each is its head, and may have a second line.
    function fill(body, rows) {
      while (body.rows.length > rows.length) body.deleteRow(-1);
      rows.forEach((row, i) => {
        const line = body.rows[i] || body.insertRow();
        row.forEach((cell, k) => {
          if (!line.cells[k]) { const made = document.createElement(k ? 'td' : 'th'); if (!k) made.scope = 'row'; line.append(made); }
          const { text, small = '', bad = false } = typeof cell === 'string' ? { text: cell } : cell, place = line.cells[k];
          if (place.dataset.text === text + '\n' + small) return;
          place.dataset.text = text + '\n' + small;
          place.textContent = text; place.className = bad ? 'bad' : '';
          if (small) { const note = document.createElement('small'); note.textContent = small; place.append(note); }
        });
      });
    }

    class Figures {
      constructor(live) { this.live = live; this.engine = undefined; this.linked = ''; this.said = ''; this.saidAt = -Infinity; this.refused = false; }
      link(text, kind) {
        this.linked = text;
        put('link', text);
        $('link').className = 'badge ' + kind;
      }
      draw() {
        const { live } = this, silent = live.heard === undefined ? 0 : (performance.now() - live.heard) / 1000;
        if (this.linked === 'Live' && silent > 3) this.link('Silent', 'bad');
        this.notice();
        this.now();
        if (this.engine !== live.engine) { this.engine = live.engine; this.tables(live.engine); }
        this.say();
      }
      notice() {
        const text = this.refused ? 'The service does not take this address any more: open the one that is in its address_file, which is another after each start.'
          : ACCESS[this.live.access] || '';
        put('notice', text); $('notice').hidden = !text;
        document.querySelector('.live').dataset.access = this.live.access || '';
      }
      now() {
        const { live } = this, { location: at, status } = live, [name, note, kind] = MODES[live.mode] || ['No place', '', ''];
        const isReduced = live.access === 'reduced' && at;
        const { isOld } = live, why = status && UNKNOWN[status.unknown];
        put('mode', isReduced ? 'Reduced' : !at ? 'No place' : isOld ? 'Last place' : name); $('mode').className = at && !isReduced && !isOld ? kind : '';
        const lost = status && status.unknown !== 'replayEnded' && status.lostSources.length ? status.lostSources.join(', ') + (status.lostSources.length > 1 ? ' do not deliver' : ' does not deliver') : '';
        const simulated = at && at.sources.includes('simulated') ? 'a replayed drive' : '';
        put('mode-note', [at && isOld ? ago(live.age) + ' old' : '', lost || why || note || simulated].filter(Boolean).join(', '));
        const has = v => v !== undefined && v !== null;
        put('radius', at && has(at.horizontalAccuracy) ? metres(at.horizontalAccuracy) : '–');
        put('radius-note', at && has(at.verticalAccuracy) ? `height ±${metres(at.verticalAccuracy)}` : '');
        put('speed', at && has(at.signedSpeed) ? (at.signedSpeed * 3.6).toFixed(0).replace('-', '−').replace(/^−0$/, '0') + ' km/h' : '–');
        put('speed-note', at && has(at.speedAccuracy) ? `±${(at.speedAccuracy * 3.6).toFixed(1)} km/h` : '');
        put('course', at && has(at.courseDegrees) ? (Math.round(at.courseDegrees) % 360) + '°' : '–');
        put('course-note', at && has(at.headingDegrees) ? `nose ${Math.round(at.headingDegrees) % 360}° ±${at.headingAccuracyDegrees.toFixed(1)}°` : '');
        const fix = live.fixes.length ? live.time - live.fixes[live.fixes.length - 1].t : live.engine && live.engine.fixAge;
        put('fix', has(fix) ? ago(Math.max(0, fix)) : '–'); put('fix-note', has(fix) ? 'ago' : live.engine && live.engine.isRunning ? 'none yet' : '');
        const hemisphere = (v, names) => Math.abs(v).toFixed(live.access === 'reduced' ? 2 : 6) + '° ' + names[v < 0 ? 1 : 0];
        put('place', at ? `${hemisphere(at.latitudeDegrees, 'NS')}  ${hemisphere(at.longitudeDegrees, 'EW')}` : '–');
        put('place-note', at && has(at.altitude) ? `${at.altitude.toFixed(0)} m above the sea` : at && has(at.ellipsoidalAltitude) ? `${at.ellipsoidalAltitude.toFixed(0)} m above the ellipsoid` : '');
        const utc = at && at.utc ? new Date(at.utc / 1e6 + live.age * 1000).toISOString() : '';
        $('clock').replaceChildren(...(utc ? [Object.assign(document.createElement('span'), { className: 'date', textContent: utc.slice(0, 10) + ' ' }), utc.slice(11, 19) + ' UTC'] : []));
        document.title = (at ? `${metres(at.horizontalAccuracy)} · ${$('mode').textContent}` : 'No place') + ' · Reckon';
      }
      tables(engine) {
        const { sources = [], learned = [], needs = [] } = engine || {}, isBad = s => ['faulty', 'lost', 'failed'].includes(s.state);
        fill($('sensors'), sources.map(s => [{ text: s.name, small: s.message || s.role }, { text: s.state + (s.isUsed || isBad(s) ? '' : ', spare'), bad: isBad(s) },
          s.rate ? s.rate.toFixed(1) + ' Hz' : '–', String(s.lost), String(s.gaps), String(s.refused)]));
        $('sensors').closest('.scroll').hidden = !sources.length; $('sensors-none').hidden = sources.length > 0;
        fill($('learned'), learned.map(q => [{ text: q.name, small: q.value }, q.uncertainty || '–']));
        $('learned').closest('.scroll').hidden = !learned.length; $('learned-none').hidden = learned.length > 0;
        const list = !engine || !engine.isRunning ? ['–'] : needs.length ? needs : ['Nothing more.'];
        $('needs').replaceChildren(...list.map(text => Object.assign(document.createElement('li'), { textContent: text })));
      }
      // Only what changes the picture is read out, and not more often than every five seconds.
      say() {
        const text = [this.linked === 'Live' ? '' : this.linked, $('mode').textContent, ...(this.live.location ? ['to ' + this.band(this.live.location.horizontalAccuracy)] : [])].filter(Boolean).join(', ');
        if (text === this.said || performance.now() - this.saidAt < 5000) return;
        this.said = text; this.saidAt = performance.now();
        put('said', text);
      }
      band(radius) { return radius <= 3 ? 'a few metres' : radius <= 10 ? 'ten metres' : radius <= 30 ? 'thirty metres' : radius <= 100 ? 'a hundred metres' : 'more than a hundred metres'; }
    }

    """#
}

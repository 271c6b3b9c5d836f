/// Streets under the map of a page, from vector tiles: how they are read, and how they are drawn.
///
/// The tiles are Mapbox's (specification version 2.1) in the schemas of Protomaps' basemap and of
/// OpenMapTiles. A page makes `Streets` with a way to get a tile, and says in which frame of metres it draws.
/// Whatever a tile says, nothing of it is ever more than paths and text on a canvas.
package enum StreetScript {
  /// The whole; after ``PageScript/source``.
  package static let source = wire + tile + streets

  /// Protocol Buffers, as far as tiles need them, and tiles from streams of bytes.
  private static let wire = #"""
    const LONGEST_TILE = 8 << 20, MOST_POINTS = 400000, MOST_NAMES = 600;

    class Wire {
      constructor(bytes, at = 0, end = bytes.length) { this.bytes = bytes; this.at = at; this.end = end; }
      number() {
        for (let value = 0, factor = 1; ; factor *= 128) {
          if (this.at >= this.end || factor > 2 ** 63) throw new Error('a tile is damaged');
          const byte = this.bytes[this.at++];
          value += (byte & 127) * factor;
          if (byte < 128) return value;
        }
      }
      signed() { const n = this.number(); return n % 2 ? -(n + 1) / 2 : n / 2; }
      part(length = this.number()) {
        if (length > this.end - this.at) throw new Error('a tile is damaged');
        this.at += length;
        return new Wire(this.bytes, this.at - length, this.at);
      }
      text() { const { bytes, at, end } = this.part(); return new TextDecoder().decode(bytes.subarray(at, Math.min(end, at + 240))); }
      float(length) {
        const { bytes, at } = this.part(length), view = new DataView(bytes.buffer, bytes.byteOffset + at, length);
        return length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
      }
      skip(kind) {
        if (kind === 0) this.number(); else if (kind === 1) this.part(8); else if (kind === 2) this.part(); else if (kind === 5) this.part(4);
        else throw new Error('a tile is damaged');
      }
      // Calls the reader of each field that has one.
      read(readers) {
        while (this.at < this.end) {
          const key = this.number(), reader = readers[Math.floor(key / 8)];
          if (reader) reader(this); else this.skip(key % 8);
        }
      }
    }

    // The bytes of a stream, no more than a tile may have.
    async function drained(stream) {
      const reader = stream.getReader(), parts = [];
      let length = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > LONGEST_TILE) { await reader.cancel(); throw new Error('a tile is longer than 8 MB unpacked'); }
        parts.push(value);
      }
      const bytes = new Uint8Array(length);
      let at = 0;
      for (const part of parts) { bytes.set(part, at); at += part.length; }
      return bytes;
    }

    """#

  /// What is drawn of a tile: paths in metres, and names with their places.
  private static let tile = #"""
    const ROADS = ['path', 'minor', 'medium', 'major', 'motorway'];
    const ROAD_OF = {};
    for (const [road, words] of Object.entries({
      motorway: 'motorway motorway_link highway', major: 'major_road trunk trunk_link primary primary_link',
      medium: 'medium_road secondary secondary_link tertiary tertiary_link',
      path: 'path footway pedestrian steps cycleway track bridleway corridor crossing sidewalk path_construction',
      rail: 'rail railway transit subway tram light_rail narrow_gauge', none: 'ferry aerialway aeroway runway taxiway pier',
    })) for (const word of words.split(' ')) ROAD_OF[word] = road;
    const GREEN = new Set(('park forest wood nature_reserve national_park grass grassland meadow scrub golf_course cemetery garden '
      + 'village_green recreation_ground allotments orchard protected_area pitch playground zoo').split(' '));
    const PLACE_RANK = { country: 0, region: 1, state: 1, city: 1, locality: 2, town: 2, village: 3, suburb: 4, hamlet: 4 };

    // What of our map a feature is; null for nothing.
    function kindOf(layer, type, tags) {
      const word = tags.kind_detail ?? tags['pmap:kind_detail'] ?? tags.kind ?? tags['pmap:kind'] ?? tags.class ?? '';
      switch (layer) {
        case 'water': case 'ocean': return type === 3 ? 'water' : type === 2 ? 'stream' : null;
        case 'waterway': case 'physical_line': return type === 2 ? 'stream' : null;
        case 'landuse': case 'landcover': case 'park': case 'natural': return type === 3 && (layer === 'park' || GREEN.has(word) || GREEN.has(tags.kind)) ? 'green' : null;
        case 'building': case 'buildings': return type === 3 ? 'house' : null;
        case 'roads': case 'transportation': case 'transit': {
          if (type !== 2) return null;
          const road = ROAD_OF[word] ?? ROAD_OF[tags.kind ?? tags['pmap:kind']] ?? (layer === 'transit' ? 'rail' : 'minor');
          if (road === 'none') return null;
          const isTunnel = tags.brunnel === 'tunnel' || tags.is_tunnel === true || tags['pmap:level'] < 0;
          return isTunnel && road !== 'rail' ? road + ' tunnel' : road;
        }
        default: return null;
      }
    }
    function labelOf(layer, type, tags) {
      const text = String(tags.name ?? tags['name:latin'] ?? tags.name_en ?? '').slice(0, 60).trim();
      if (!text) return null;
      if (type === 1 && (layer === 'places' || layer === 'place'))
        return { text, rank: PLACE_RANK[tags.class ?? tags.kind ?? tags['pmap:kind']] ?? 5, isPlace: true };
      if (type !== 2 || !['roads', 'transportation_name', 'transportation'].includes(layer)) return null;
      const road = (kindOf('roads', 2, tags) ?? '').split(' ')[0];
      return road && road !== 'rail' ? { text, rank: 20 - ROADS.indexOf(road), isPlace: false } : null;
    }

    // Where along a line its name has the most room: the longest stretch that is nearly straight.
    function straightest(points) {
      let best = { length: 0 }, first = 0, heading = NaN;
      for (let i = 1; i < points.length; i++) {
        const turn = Math.atan2(points[i].y - points[i - 1].y, points[i].x - points[i - 1].x), away = Math.abs(((turn - heading + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
        if (!(away < 0.35)) { first = i - 1; heading = turn; }
        const a = points[first], b = points[i], length = Math.hypot(b.x - a.x, b.y - a.y);
        if (length > best.length) best = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle: Math.atan2(b.y - a.y, b.x - a.x), length };
      }
      return best;
    }

    // Tile zoom/column/row as paths in the metres of `frame`.
    function drawnTile(bytes, { z, x: column, y: row }, frame) {
      const side = 2 ** z, paths = {}, names = [];
      let points = 0;
      const place = (u, v) => {
        const longitude = (column + u) / side * 360 - 180, latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * (row + v) / side))) * 180 / Math.PI;
        return frame.metres(latitude, longitude);
      };
      const lines = (wire, extent) => {
        const all = [], unit = value => clamp(value / extent, -2, 3);
        let x = 0, y = 0, line = null;
        while (wire.at < wire.end) {
          const command = wire.number(), count = Math.floor(command / 8);
          if (command % 8 === 7) { if (line) line.isClosed = true; continue; }
          if (command % 8 > 2) throw new Error('a tile is damaged');
          for (let i = 0; i < count; i++) {
            x += wire.signed(); y += wire.signed();
            if (++points > MOST_POINTS) throw new Error('a tile has more than 400 000 points');
            if (command % 8 === 1 || !line) { line = []; all.push(line); }
            line.push(place(unit(x), unit(y)));
          }
        }
        return all;
      };
      const feature = (wire, layer) => {
        let type = 0, geometry = null;
        const tags = {};
        wire.read({
          2: w => { const part = w.part(); while (part.at < part.end) { const key = layer.keys[part.number()], value = layer.values[part.number()]; if (key !== undefined) tags[key] = value; } },
          3: w => { type = w.number(); }, 4: w => { geometry = w.part(); },
        });
        if (!geometry) return;
        const kind = kindOf(layer.name, type, tags), name = names.length < MOST_NAMES ? labelOf(layer.name, type, tags) : null;
        if (!kind && !name) return;
        const all = lines(geometry, layer.extent);
        if (kind) {
          const path = paths[kind] ??= new Path2D();
          for (const line of all) {
            line.forEach((p, i) => i ? path.lineTo(p.x, p.y) : path.moveTo(p.x, p.y));
            if (line.isClosed) path.closePath();
          }
        }
        if (name && name.isPlace && all.length) names.push({ ...name, ...all[0][0], angle: 0, length: Infinity });
        else if (name) for (const line of all) { const at = straightest(line); if (at.length) names.push({ ...name, ...at }); }
      };
      new Wire(bytes).read({ 3: wire => {
        const layer = { name: '', extent: 4096, keys: [], values: [] }, features = [];
        wire.part().read({
          1: w => { layer.name = w.text(); }, 2: w => features.push(w.part()), 3: w => layer.keys.push(w.text()),
          4: w => { let value; w.part().read({ 1: v => { value = v.text(); }, 2: v => { value = v.float(4); }, 3: v => { value = v.float(8); },
            4: v => { value = v.number(); }, 5: v => { value = v.number(); }, 6: v => { value = v.signed(); }, 7: v => { value = v.number() !== 0; } });
            layer.values.push(value); },
          5: w => { layer.extent = Math.max(1, w.number()); },
        });
        for (const one of features) feature(one, layer);
      } });
      return { paths, names };
    }

    """#

  /// Which tiles are wanted, and how they are drawn.
  private static let streets = #"""
    class Streets {
      // `load` gives a tile's bytes, or null for none; `said` takes why one cannot be had, or null.
      constructor({ from, to, load, changed, said }) {
        Object.assign(this, { from, to, load, changed, said });
        this.tiles = new Map(); this.shown = []; this.busy = 0; this.frame = null;
      }
      // The tiles of what `map` shows, those in the middle first; none where they would be too many.
      wanted(map, frame) {
        const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([a, b]) => frame.degrees(map.x + a * map.width / 2 / map.scale, map.y + b * map.height / 2 / map.scale));
        const east = corners.map(p => p.longitude), north = corners.map(p => clamp(p.latitude, -85, 85));
        const middle = (Math.min(...north) + Math.max(...north)) / 2 * Math.PI / 180;
        const z = clamp(Math.floor(Math.log2(40075017 * Math.cos(middle) * map.scale / 512) + 0.3), this.from, this.to), side = 2 ** z;
        const across = longitude => Math.floor((longitude + 180) / 360 * side);
        const down = latitude => Math.floor((1 - Math.asinh(Math.tan(latitude * Math.PI / 180)) / Math.PI) / 2 * side);
        const [west, top, right, bottom] = [across(Math.min(...east)), down(Math.max(...north)), across(Math.max(...east)), down(Math.min(...north))];
        if (!((right - west + 1) * (bottom - top + 1) <= 48)) return [];
        const all = [];
        for (let y = Math.max(0, top); y <= Math.min(side - 1, bottom); y++)
          for (let x = west; x <= right; x++) all.push({ z, x: ((x % side) + side) % side, y, away: Math.hypot(x - (west + right) / 2, y - (top + bottom) / 2) });
        return all.sort((a, b) => a.away - b.away);
      }
      ask(wanted, frame) {
        for (const tile of wanted) {
          const key = `${tile.z}/${tile.x}/${tile.y}`, known = this.tiles.get(key);
          if (known && (known.isThere || !known.failed || performance.now() - known.failed < 10000)) { if (known.isThere) { this.tiles.delete(key); this.tiles.set(key, known); } continue; }
          if (this.busy >= 4) continue;
          const entry = { isThere: false, failed: 0, drawn: null };
          this.tiles.set(key, entry);
          this.busy += 1;
          this.load(tile.z, tile.x, tile.y).then(bytes => {
            entry.drawn = bytes ? drawnTile(bytes, tile, frame) : null; entry.isThere = true;
          }).catch(error => { entry.failed = performance.now(); entry.fault = error.message; })
            .finally(() => { this.busy -= 1; this.changed(); });
        }
        const needed = new Set(wanted.map(t => `${t.z}/${t.x}/${t.y}`));
        for (const [key, entry] of this.tiles) { if (this.tiles.size <= 96) break; if (!needed.has(key) && (entry.isThere || entry.failed)) this.tiles.delete(key); }
      }
      // Draws what there is; whether there is anything.
      draw(map, frame) {
        if (this.frame !== frame.key) { this.frame = frame.key; this.tiles = new Map(); this.shown = []; }
        const wanted = this.wanted(map, frame), keys = wanted.map(t => `${t.z}/${t.x}/${t.y}`);
        this.ask(wanted, frame);
        const known = keys.map(key => this.tiles.get(key)), isWhole = known.every(entry => entry && (entry.isThere || entry.failed));
        this.said(known.find(entry => entry && entry.fault)?.fault ?? null);
        const isSame = this.shown.z === (wanted[0] && wanted[0].z);
        // What was there before stays until all of another zoom is there.
        if (isWhole || isSame || !this.shown.length) {
          this.shown = [...new Set([...(isWhole ? [] : this.shown), ...known])].filter(entry => entry && entry.drawn);
          this.shown.z = wanted[0] && wanted[0].z;
        }
        if (!this.shown.length) return false;
        const { context: c } = map;
        c.save();
        c.translate(map.width / 2, map.height / 2); c.scale(map.scale, -map.scale); c.translate(-map.x, -map.y);
        this.drawPaths(c, map.scale);
        c.restore();
        this.drawNames(map);
        return true;
      }
      drawPaths(c, scale) {
        const each = (kind, draw) => { for (const { drawn } of this.shown) if (drawn.paths[kind]) draw(drawn.paths[kind]); };
        const stroke = (kind, colour, width, dash = []) => {
          c.strokeStyle = colour; c.lineWidth = width / scale; c.setLineDash(dash.map(d => d / scale));
          each(kind, path => c.stroke(path));
        };
        c.lineJoin = c.lineCap = 'round';
        for (const kind of ['green', 'water', 'house']) {
          if (kind === 'house' && scale < 0.15) continue;
          c.fillStyle = palette[kind]; each(kind, path => c.fill(path));
        }
        stroke('stream', palette.water, clamp(4 * scale, 1, 6));
        const widths = { path: [2, 0.6], minor: [6, 0.8], medium: [9, 1.4], major: [12, 1.9], motorway: [16, 2.3] };
        const width = road => Math.max(widths[road][1], widths[road][0] * scale);
        c.lineCap = 'butt';
        for (const road of ROADS.slice(1)) stroke(road + ' tunnel', palette.edge, width(road) + 1.6, [5, 4]);
        for (const road of ROADS.slice(1)) stroke(road + ' tunnel', palette.map, width(road));
        if (scale > 0.1) for (const road of ['path', 'path tunnel']) stroke(road, palette.edge, Math.min(2, width('path')), [4, 3]);
        stroke('rail', palette.edge, clamp(1.5 * scale, 1, 2.5));
        c.lineCap = 'round';
        for (const road of ROADS.slice(1)) if (road !== 'minor' || scale > 0.03) stroke(road, palette.edge, width(road) + 1.6);
        for (const road of ROADS.slice(1)) if (width(road) > 1.2) stroke(road, road === 'motorway' || road === 'major' ? palette.main : palette.road, width(road));
        c.setLineDash([]); c.lineCap = 'butt';
      }
      // Places, then roads by rank, each where nothing stands yet and its own road has room.
      drawNames(map) {
        const { context: c } = map, names = this.shown.flatMap(({ drawn }) => drawn.names).filter(name => {
          name.px = map.px(name.x); name.py = map.py(name.y);
          return name.px > 0 && name.py > 0 && name.px < map.width && name.py < map.height && name.length * map.scale > 30;
        }).sort((a, b) => a.rank - b.rank || b.length - a.length);
        // Where scale, north arrow, buttons and the source stand.
        const taken = [[60, map.height - 20, 60, 22], [map.width - 30, 36, 16, 26], [map.width - 45, map.height - 80, 45, 80], [110, 16, 110, 16]]
          .map(([px, py, halfWide, halfHigh]) => ({ px, py, halfWide, halfHigh }));
        let count = 0;
        for (const name of names) {
          if (count >= 40) break;
          const size = name.isPlace ? (name.rank < 3 ? 14 : 12.5) : 11, weight = name.isPlace ? 600 : 400;
          c.font = `${weight} ${size}px ${FONT}`;
          const wide = name.wide ??= c.measureText(name.text).width;
          if (wide + 8 > name.length * map.scale) continue;
          const turn = name.isPlace ? 0 : Math.atan(Math.tan(-name.angle)), halfWide = (Math.abs(Math.cos(turn)) * wide + Math.abs(Math.sin(turn)) * size) / 2 + 6;
          const halfHigh = (Math.abs(Math.sin(turn)) * wide + Math.abs(Math.cos(turn)) * size) / 2 + 4;
          const isWhole = name.px > halfWide && name.py > halfHigh && name.px < map.width - halfWide && name.py < map.height - halfHigh;
          const isFree = isWhole && taken.every(t => Math.abs(t.px - name.px) > t.halfWide + halfWide || Math.abs(t.py - name.py) > t.halfHigh + halfHigh)
            && !taken.some(t => t.text === name.text && Math.hypot(t.px - name.px, t.py - name.py) < 260);
          if (!isFree) continue;
          taken.push({ px: name.px, py: name.py, halfWide, halfHigh, text: name.text });
          count += 1;
          c.save(); c.translate(name.px, name.py); c.rotate(turn);
          map.text(name.text, 0, 0, { align: 'center', base: 'middle', colour: palette.street, halo: palette.map, size, weight });
          c.restore();
        }
      }
    }

    """#
}

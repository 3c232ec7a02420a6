// Makes src/analytics/world.ts from Natural Earth's countries at 1:110 million. See README.md, "Map".
import fs from 'node:fs';
import { feature } from 'topojson-client';

const [WIDTH, HEIGHT] = [1000, 434];
/** How far a border may be from the true one, in units of the picture. */
const TOLERANCE = 0.8;
/** Codes of places without one of their own: those under which their addresses are counted. Undefined: not drawn. */
const CODES = { 'N. Cyprus': 'CY', Somaliland: 'SO', Kosovo: 'XK', Antarctica: undefined, 'Fr. S. Antarctic Lands': undefined };

const world = JSON.parse(fs.readFileSync(new URL(import.meta.resolve('world-atlas/countries-110m.json')), 'utf8'));

/** Equal Earth (Šavrič, Patterson and Jenny, 2018): no country is larger than it is. */
function project(longitude, latitude) {
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796];
  const [unit, half] = [WIDTH / 5.413, Math.sqrt(3) / 2];
  const theta = Math.asin(half * Math.sin((latitude * Math.PI) / 180));
  const [squared, sixth] = [theta ** 2, theta ** 6];
  const x = (((longitude * Math.PI) / 180) * Math.cos(theta)) / (half * (a1 + 3 * a2 * squared + sixth * (7 * a3 + 9 * a4 * squared)));
  const y = theta * (a1 + a2 * squared + sixth * (a3 + a4 * squared));
  return [WIDTH / 2 + x * unit, (1.31 - y) * unit];
}

/** Douglas and Peucker's: both ends of a line, and between them what is further away than the tolerance. */
function simplified(line) {
  const [[x1, y1], [x2, y2]] = [line[0], line.at(-1)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const distances = line.map(([x, y]) => (length ? Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length : Math.hypot(x - x1, y - y1)));
  const most = Math.max(...distances);
  if (most <= TOLERANCE) return [line[0], line.at(-1)];
  const at = distances.indexOf(most);
  return [...simplified(line.slice(0, at + 1)).slice(0, -1), ...simplified(line.slice(at))];
}

// Lines and not countries are simplified, so that neighbours keep one border.
const { scale, translate } = world.transform;
world.arcs = world.arcs.map((arc) => {
  let [x, y] = [0, 0];
  const line = arc.map(([dx, dy]) => project((x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]));
  return simplified(line).map((point) => point.map(Math.round));
});
delete world.transform;

/** The parts of a ring on either side of the line where the map begins and ends, over which the rings of the source go. */
function cut(ring) {
  const parts = [[]];
  ring.forEach((point, at) => {
    if (at > 0 && Math.abs(point[0] - ring[at - 1][0]) > WIDTH / 2) parts.push([]);
    parts.at(-1).push(point);
  });
  // The last one is what comes before the first.
  if (parts.length > 1) parts[0].unshift(...parts.pop());
  return parts.map((part) => part.concat([part[0]]));
}

/** The path of a ring, each of its points by the way from the one before. Empty: it is smaller than a unit. */
function drawn(ring) {
  const points = ring.slice(1).filter(([x, y], at) => x !== ring[at][0] || y !== ring[at][1]);
  if (points.length < 3) return '';
  const [first, ...ways] = points.map(([x, y], at) => [x - (points[at - 1]?.[0] ?? 0), y - (points[at - 1]?.[1] ?? 0)]);
  return `M${first}l${ways.join(' ')}z`.replaceAll(/[, ]-/g, '-').replaceAll(',', ' ');
}

/** French Guiana and Svalbard are parts of other countries in the source, and have codes of their own. */
function partOf(code, [x, y]) {
  if (code === 'FR' && x < project(-30, 5)[0]) return 'GF';
  return code === 'NO' && y < project(15, 74)[1] ? 'SJ' : code;
}

const shapes = {};
for (const { id, properties, geometry } of feature(world, world.objects.countries).features) {
  const code = properties.name in CODES ? CODES[properties.name] : Intl.getCanonicalLocales(`und-${id}`)[0].slice(4);
  const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
  for (const ring of code ? rings.flatMap(cut) : []) {
    const part = partOf(code, ring[0]);
    shapes[part] = (shapes[part] ?? '') + drawn(ring);
  }
}
const lines = Object.entries(shapes).filter(([, path]) => path).sort().map(([code, path]) => `  ${code}: '${path}',\n`);
fs.writeFileSync(
  'src/analytics/world.ts',
  `// The countries of the map, made by world.mjs from Natural Earth (public domain).

/** As wide and as high as the picture is. */
export const SIZE = '0 0 ${WIDTH} ${HEIGHT}';

/** The path of each country, by its code. Small ones have none. */
export const SHAPES: Record<string, string> = {
${lines.join('')}};
`,
);

import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

interface Click {
  at: Date;
  link: string;
  country: string;
  /** As `DE-BY` and `DE:Munich`. */
  region?: string;
  city?: string;
  userAgent: string;
}

const VERSION = 4;

const number = (bytes: 2 | 4, value: number): Buffer => {
  const out = Buffer.alloc(bytes);
  out.writeUIntLE(value, 0, bytes);
  return out;
};

/** As `src/clicks/click.rs` encodes one, with a visitor of its own, and `src/clicks/segment.rs` puts it into a file. */
function record({ at, link, country, userAgent, region = '', city = '' }: Click, index: number): Buffer {
  const clickedAt = Buffer.alloc(8);
  clickedAt.writeBigInt64LE(BigInt(at.getTime()));
  const visitor = Buffer.alloc(16);
  visitor.writeUInt32LE(index + 1);
  const texts = [country, userAgent, ...Array<string>(7).fill(''), region, city].map((text) => Buffer.from(text));
  const payload = Buffer.concat([
    // No flags, trigger, rule and destination.
    Buffer.from([VERSION, 0, 0, 0, 0]),
    clickedAt,
    Buffer.from(link.replaceAll('-', ''), 'hex'),
    visitor,
    ...texts.flatMap((text) => [number(2, text.length), text]),
  ]);
  return Buffer.concat([number(4, payload.length), number(4, crc32(payload)), payload]);
}

/** Writes clicks of the past into the log of a service that does not run; it counts them when it starts. */
export function writeClicks(data: string, clicks: Click[]): void {
  const folder = path.join(data, 'clicks');
  const segments = readdirSync(folder).map((name) => Number.parseInt(name, 10));
  const next = Math.max(0, ...segments.filter((segment) => !Number.isNaN(segment))) + 1;
  writeFileSync(path.join(folder, `${String(next).padStart(16, '0')}.log`), Buffer.concat(clicks.map(record)));
}

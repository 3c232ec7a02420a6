// A DNS server that answers what a test sets.
import { createSocket } from 'node:dgram';

const TYPES = { A: 1, CNAME: 5, TXT: 16 } as const;

type Records = Partial<Record<keyof typeof TYPES, string[]>>;

export interface Dns {
  address: string;
  /** The records of a name from now on. A name without any does not exist. */
  set(name: string, records: Records): void;
  close(): void;
}

function wire(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

function data(type: keyof typeof TYPES, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  return type === 'CNAME' ? wire(value) : Buffer.from(`${String.fromCharCode(value.length)}${value}`);
}

function record(name: string, type: keyof typeof TYPES, value: string): Buffer {
  const content = data(type, value);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(TYPES[type], 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(content.length, 8);
  return Buffer.concat([wire(name), head, content]);
}

/** RFC 1035 §4, as much of it as a query with one question needs. Answers may not be kept: their time to live is 0. */
function answer(query: Buffer, zone: Map<string, Records>): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!).toLowerCase());
    at += 1 + query[at]!;
  }
  const name = labels.join('.');
  const records = zone.get(name);
  const asked = query.readUInt16BE(at + 1);
  const type = (Object.keys(TYPES) as (keyof typeof TYPES)[]).find((each) => TYPES[each] === asked);
  const answers = type ? (records?.[type] ?? []).map((value) => record(name, type, value)) : [];
  const head = Buffer.from([query[0]!, query[1]!, 0x85, records ? 0x80 : 0x83, 0, 1, 0, answers.length, 0, 0, 0, 0]);
  return Buffer.concat([head, query.subarray(12, at + 5), ...answers]);
}

export async function startDns(): Promise<Dns> {
  const zone = new Map<string, Records>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answer(query, zone), port, address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, records) => void zone.set(name, records),
    close: () => socket.close(),
  };
}

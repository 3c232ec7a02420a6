// Drawn on a grid of 24, stroked with the colour of the text.
const PATHS = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  chart: 'M4 20h16M7 16v-4M12 16V6M17 16v-7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 20h2',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  edit: 'M5 19l1-4L16.5 4.5l3 3L9 18l-4 1zM14 7l3 3',
  archive: 'M4 5h16v4H4zM5.500 9v10h13V9M10 13h4',
  unarchive: 'M4 5h16v4H4zM5.500 9v10h13V9M12 17v-5M9.500 14l2.500-2.500 2.500 2.500',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  open: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M10.5 10.5h.01M14 10.5h.01M17 10.5h.01M8 14h8',
  language: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c-5 5-5 11 0 16M12 4c5 5 5 11 0 16',
  signOut: 'M10 5H5v14h5M15 8l4 4-4 4M19 12H9',
  user: 'M12 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 20c.5-4 3.5-5.5 7-5.5s6.5 1.500 7 5.500',
  alert: 'M12 4l9 16H3L12 4zM12 10v4M12 17h.01',
  info: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8h.01',
  help: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9.700 9.800a2.300 2.300 0 1 1 3.300 2.100c-.7.400-1 .800-1 1.500M12 16.500h.01',
  offline: 'M4 9a12 12 0 0 1 4-2.500M20 9a12 12 0 0 0-8-3M7.500 13a7 7 0 0 1 2.500-1.500M12 18h.01M4 4l16 16',
  filter: 'M4 6h16M7 12h10M10 18h4',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  upload: 'M12 15V4M7 8.500l5-5 5 5M5 20h14',
  print: 'M7 8V4h10v4M7 17H4V8h16v9h-3M7 14h10v6H7z',
  globe: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c-3 2.500-4 5-4 8s1 5.500 4 8M12 4c3 2.500 4 5 4 8s-1 5.500-4 8',
  code: 'M8.500 8l-4.500 4 4.500 4M15.500 8l4.500 4-4.500 4M13.500 5l-3 14',
  key: 'M8 11.500a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12.500L19.500 4M16 7.500l3 3',
  send: 'M20 4L3.500 10.500l6.500 3 3 6.500L20 4zM10 13.500l4.500-4.500',
  redo: 'M19 12a7 7 0 1 1-2.200-5.100M19 3.500v4.500h-4.500',
  pause: 'M8.500 6v12M15.500 6v12',
  notes: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8.500 9h7M8.500 13h4',
  eye: 'M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  card: 'M3.5 6h17v12h-17zM3.5 10h17M7 14.500h3',
  settings: 'M4 7h9M17 7h3M13 5v4M4 12h3M11 12h9M7 10v4M4 17h8M16 17h4M12 15v4',
  merge: 'M5 5h3l5 7h7M5 19h3l5-7M17 9l3 3-3 3',
  calendar: 'M4 6h16v14H4zM4 11h16M9 3v5M15 3v5',
  tag: 'M4 4h7.500l8.500 8.500-7.500 7.500L4 11.500zM8 8h.01',
  phone: 'M8 3.500h8v17H8zM11.500 17.500h1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Two links of a chain, which are also two nodes of a graph. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M9 15l6-6M7.500 12.500l-1 1a2.800 2.800 0 0 0 4 4l1-1M12.500 7.500l1-1a2.800 2.800 0 0 1 4 4l-1 1" />
    </svg>
  );
}

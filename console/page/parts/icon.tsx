// The icons of the page, 16 by 16, in the colour of the text around. Whoever hears the page hears the words beside them.
const shapes = {
  brand: 'M1.5 2.5h13v11h-13zM1.5 8h13M8 2.5v11',
  home: 'M2 7.5 8 2.5l6 5V14H2zM6.5 14v-4h3v4',
  work: 'M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4.5H2z',
  cases: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5',
  log: 'M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.5',
  wall: 'M2 2h12v12H2zM2 6.5h12M8 2v12',
  desk: 'M8 3v10M3 8h10',
  flows: 'M2 3h5v3.5H2zM9 9.5h5V13H9zM4.5 6.5v4.8H9',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5V9.5M8 11.5v.1',
  clock: 'M14 8a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM8 4.5V8l2.5 1.5',
  empty: 'M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z',
  inside: 'M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z',
  out: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM3.8 3.8l8.4 8.4',
  offline:
    'M2 2l12 12M4.5 9.5A5 5 0 0 1 6 8.6M1.8 6.8a9 9 0 0 1 2.4-1.7M8 4c2.5 0 4.6 1 6.2 2.8M11.5 9.5a5 5 0 0 0-.8-.6M8 12.5v.1',
  tick: 'm3 8.5 3.5 3.5L13 4.5',
  door: 'M4 14V2h8v12M2 14h12M4 2l4.5 2.5V16L4 14',
  question:
    'M5.8 6a2.2 2.2 0 1 1 3 2c-.6.3-.8.7-.8 1.5M8 12v.1M14.5 8a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z',
  message: 'M2 4h12v8.5H2zM2 4.5 8 9l6-4.5',
  person: 'M10.8 5a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zM2.5 14c.6-3 2.7-4.3 5.5-4.3s4.9 1.3 5.5 4.3',
} as const;

export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path d={shapes[name]} class={name === 'inside' ? 'solid' : undefined} />
  </svg>
);

// The cases of the morning as data: who waits for what, where it is, and what has gone wrong with it.
import type { FirstName } from './people.ts';

export const sizes = {
  S: { width: 20, height: 5, length: 30 },
  M: { width: 30, height: 20, length: 40 },
  L: { width: 35, height: 45, length: 55 },
} as const;

/**
 * collected: it has ended. waits: it is in its locker. late: so it is, and its end has passed. expected: nobody has put it in yet.
 * forgotten: nor has anybody in time. leftOpen: it is in its locker, whose door stands open.
 */
export type Stands = 'collected' | 'waits' | 'late' | 'expected' | 'forgotten' | 'leftOpen';

export type Given = readonly [
  key: string,
  who: FirstName,
  number: string,
  what: string,
  size: keyof typeof sizes,
  stands: Stands,
];

/** Issue, at Central. */
export const deliveriesAtCentral: readonly Given[] = [
  ['DL-101', 'Willem', '3SLOCK000000101', 'Running shoes', 'M', 'collected'],
  ['DL-102', 'Vera', '3SLOCK000000102', 'Coffee grinder', 'M', 'collected'],
  ['DL-103', 'Usha', '3SLOCK000000103', 'Books', 'M', 'collected'],
  ['DL-104', 'Thijs', '3SLOCK000000104', 'Headphones', 'M', 'collected'],
  ['DL-105', 'Rosa', '3SLOCK000000105', 'Winter coat', 'L', 'collected'],
  ['DL-106', 'Anna', '3SLOCK000000106', 'Desk lamp', 'M', 'collected'],
  ['DL-107', 'Olivia', '3SLOCK000000107', 'Board game', 'M', 'collected'],
  ['DL-108', 'Karin', '3SLOCK000000108', 'Bicycle helmet', 'M', 'collected'],
  ['DL-112', 'Xander', '3SLOCK000000112', 'Camera', 'M', 'collected'],
  ['DL-121', 'Hanna', '3SLOCK000000121', 'Lunch box', 'M', 'collected'],
  ['DL-122', 'Ibrahim', '3SLOCK000000122', 'Jigsaw', 'M', 'collected'],
  ['DL-123', 'Lotte', '3SLOCK000000123', 'Running belt', 'M', 'collected'],
  ['DL-124', 'Pieter', '3SLOCK000000124', 'Wall clock', 'M', 'collected'],
  ['DL-125', 'Sanne', '3SLOCK000000125', 'Bread bin', 'M', 'collected'],
  ['DL-126', 'Joost', '3SLOCK000000126', 'Dartboard', 'L', 'collected'],
  ['DL-127', 'Yara', '3SLOCK000000127', 'Sketchbook', 'M', 'collected'],
  ['DL-128', 'Daan', '3SLOCK000000128', 'Charger', 'M', 'collected'],
  ['DL-111', 'Hanna', '3SLOCK000000111', 'Rice cooker', 'M', 'waits'],
  ['DL-113', 'Yara', '3SLOCK000000113', 'Printer', 'L', 'waits'],
  ['DL-114', 'Thijs', '3SLOCK000000114', 'Toolbox', 'M', 'late'],
  ['DL-115', 'Zoë', '3SLOCK000000115', 'Sewing machine', 'L', 'late'],
  ['DL-116', 'Anna', '3SLOCK000000116', 'Keyboard', 'M', 'forgotten'],
  ['DL-117', 'Fatima', '3SLOCK000000117', 'Monitor', 'L', 'waits'],
  ['DL-118', 'Vera', '3SLOCK000000118', 'Suitcase', 'L', 'waits'],
  ['DL-120', 'Rosa', '3SLOCK000000120', 'Vase', 'M', 'expected'],
];

/** Issue, at Harbour. */
export const deliveriesAtHarbour: readonly Given[] = [
  ['DL-119', 'Zoë', '3SLOCK000000119', 'Teapot', 'M', 'expected'],
];

/** Issue, at Station: with the parcel that no process waits for they fill it. */
export const deliveriesAtStation: readonly Given[] = [
  ['DL-201', 'Daan', '3SLOCK000000201', 'Drill', 'M', 'late'],
  ['DL-202', 'Hanna', '3SLOCK000000202', 'Perfume', 'S', 'waits'],
  ['DL-203', 'Eva', '3SLOCK000000203', 'Phone case', 'S', 'waits'],
  ['DL-204', 'Noah', '3SLOCK000000204', 'Watch strap', 'S', 'late'],
  ['DL-205', 'Mark', '3SLOCK000000205', 'Router', 'M', 'waits'],
  ['DL-206', 'Lotte', '3SLOCK000000206', 'Boots', 'M', 'waits'],
  ['DL-207', 'Olivia', '3SLOCK000000207', 'Blender', 'M', 'waits'],
  ['DL-208', 'Karin', '3SLOCK000000208', 'Tent', 'L', 'late'],
  ['DL-209', 'Quinten', '3SLOCK000000209', 'Rug', 'L', 'waits'],
  ['DL-210', 'Pieter', '3SLOCK000000210', 'Guitar stand', 'L', 'waits'],
  ['DL-211', 'Sanne', '3SLOCK000000211', 'Toaster', 'M', 'waits'],
];

/** Issue, at Station, which is full: none of them begins. */
export const failedStarts: readonly Given[] = (
  [
    ['Anna', 'Notebook'],
    ['Daan', 'Speaker'],
    ['Eva', 'Backpack'],
    ['Gijs', 'Webcam'],
    ['Ibrahim', 'Scarf'],
    ['Joost', 'Kettle'],
    ['Mark', 'Cable set'],
    ['Noah', 'Chess set'],
    ['Quinten', 'Mouse'],
    ['Sanne', 'Yoga mat'],
    ['Willem', 'Thermos'],
    ['Yara', 'Umbrella'],
  ] as const
).map(([who, what], index) => [
  `DL-${301 + index}`,
  who,
  `3SLOCK000000${301 + index}`,
  what,
  'M',
  'expected',
]);

/** Intake, at Central. */
export const returns: readonly Given[] = [
  ['RT-401', 'Karin', 'RMA-7001', 'Drill that smokes', 'M', 'leftOpen'],
  ['RT-402', 'Eva', 'RMA-7002', 'Shoes, too small', 'M', 'collected'],
  ['RT-403', 'Rosa', 'RMA-7003', 'Broken lamp', 'M', 'waits'],
  ['RT-404', 'Willem', 'RMA-7004', 'Wrong charger', 'S', 'forgotten'],
];

/** What lies in stock at Central, by its number. */
export const laptops: readonly (readonly [number: string, what: string])[] = [
  ['laptop-1', 'Laptop 1 (Dell 5440)'],
  ['laptop-2', 'Laptop 2 (Dell 5440)'],
  ['laptop-3', 'Laptop 3 (HP 840)'],
  ['laptop-4', 'Laptop 4 (HP 840)'],
  ['laptop-5', 'Laptop 5 (HP 840)'],
  ['laptop-6', 'Laptop 6 (Dell 5440)'],
  ['laptop-7', 'Laptop 7 (Dell 5440)'],
  ['laptop-8', 'Laptop 8 (Lenovo T14)'],
];

/** returned: it is in stock again. withThem: whoever borrowed it has it. overdue: and should not. toCollect: it is in its locker. */
export type Lent = 'returned' | 'withThem' | 'overdue' | 'toCollect' | 'notCollected';

/** In their order: a laptop is lent again once it is back. */
export const loans: readonly (readonly [key: string, who: FirstName, number: string, stands: Lent])[] = [
  ['LN-2035', 'Joost', 'laptop-7', 'returned'],
  ['LN-2038', 'Eva', 'laptop-7', 'returned'],
  ['LN-2041', 'Anna', 'laptop-7', 'withThem'],
  ['LN-2042', 'Mark', 'laptop-6', 'withThem'],
  ['LN-2043', 'Sanne', 'laptop-1', 'overdue'],
  ['LN-2044', 'Ibrahim', 'laptop-2', 'overdue'],
  ['LN-2045', 'Lotte', 'laptop-3', 'withThem'],
  ['LN-2046', 'Pieter', 'laptop-4', 'notCollected'],
  ['LN-2047', 'Noah', 'laptop-5', 'toCollect'],
];

/** Each brings one to Central: the first has, two more may bring theirs, and the last three are not asked before that. */
export const recalled: readonly (readonly [number: string, who: FirstName])[] = [
  ['laptop-21', 'Hanna'],
  ['laptop-22', 'Quinten'],
  ['laptop-23', 'Usha'],
  ['laptop-24', 'Xander'],
  ['laptop-25', 'Olivia'],
  ['laptop-26', 'Thijs'],
];

/** ParcelAtTheDesk, at Harbour: the first is in its locker. */
export const parcels: readonly (readonly [key: string, who: FirstName, number: string])[] = [
  ['PD-501', 'Eva', '3SLOCK000000501'],
  ['PD-502', 'Joost', '3SLOCK000000502'],
  ['PD-503', 'Vera', '3SLOCK000000503'],
];

// A valid value for each field name that the interface uses, typed by hand; it must not import the contract. A name that is not
// here is a flag or any text.

/** By the PascalCase form of the name, whatever its casing in an operation. */
const values: Readonly<Record<string, unknown>> = {
  Dimension: { width: 1, height: 2.5, length: 300 },
  Width: 1,
  Height: 2.5,
  Length: 300,
  Details: {},
  Return: {},
  Issue: {},
  Weight: 450,
  Count: 1,
  UnlockGoal: 'DropOff',
  AccessGoal: 'DropOff',
  EmailAddress: 'anna@example.com',
  PhoneNumber: '+31612345678',
  LanguageCode: 'nl-NL',
  CountryCode: 'NL',
  MutationConfig: {},
  Data: {},
  File: { name: 'residents.csv', content: new Uint8Array([1, 2]) },
  PageNo: 1,
  PageSize: 500,
  ShipmentState: ['ReadyForPickup'],
  UpdatedSince: '2026-03-02T09:15:00',
  SortBy: 'CreatedDesc',
  Most: 20,
  LockerState: ['Booked'],
  DoorOpenForSeconds: 300,
  Url: 'https://tenant.example.com/callbacks',
  AuthType: 'ApiKey',
  Since: '2026-03-02T09:15:00',
  Until: '2026-03-03T09:15:00',
  ShipmentUids: ['shipment-1001', 'shipment-1002'],
  TotalCount: 3,
  ImportedCount: 2,
  ExistedCount: 1,
  RemovedCount: 0,
  ErrorCount: 1,
  DateTime: '2026-03-02T09:15:00Z',
  ErrorLogs: [{ id: '3', message: 'PhoneNumber must be in international format' }],
  Items: [],
  TotalItems: 7,
  TotalPages: 1,
};

/** True, unless that excludes another field of a full request. */
const FLAG = /^(Allow|Keep|Is|Can|Change|Remove|Include|Active|Door|Out|Reset|Extra|Access|PickUpPoint)|ed$/;

/** The sample value of a field, named as the wire names it; a dot leads into a nested object. */
export function sampleValue(path: string): unknown {
  const name = path.split('.').at(-1) ?? '';
  const pascal = name.charAt(0).toUpperCase() + name.slice(1);
  if (Object.hasOwn(values, pascal)) return structuredClone(values[pascal]);
  if (pascal.endsWith('Uid') || !FLAG.test(pascal)) return `${name}-1`;
  return !/^(Is|Keep|Reset|Remove)/.test(pascal);
}

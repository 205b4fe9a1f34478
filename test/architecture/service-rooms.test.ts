// The rooms of service/: no circle of files, none of rooms, and no handler that knows of the sandbox.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { circleIn, importsOf, importsOfRooms } from './import-graph.ts';

const files = importsOf('service');
const rooms = importsOfRooms('service', files);

test('a circle is found', () => {
  const imports = { one: ['two'], two: ['three'], three: ['four', 'two'], four: [] };
  expect(circleIn(new Map(Object.entries(imports)))).toEqual(['two', 'three', 'two']);
});

test('no files import each other in a circle', () => {
  expect(files.size).toBeGreaterThan(100);
  expect(circleIn(files)).toBeUndefined();
});

test('no rooms import each other in a circle', () => {
  expect(rooms.get('lockers')).toContain('shipments');
  expect(circleIn(rooms)).toBeUndefined();
});

test('only server.ts imports the sandbox', () => {
  const importers = [...files].filter(([, imported]) =>
    imported.some((path) => path.startsWith('service/sandbox/')),
  );
  const outside = importers.map(([file]) => file).filter((file) => !file.startsWith('service/sandbox/'));
  expect(outside).toEqual(['service/server.ts']);
});

test('handlers do not know of HTTP', () => {
  for (const room of ['accounts', 'callbacks', 'lockers', 'shipments'])
    expect(rooms.get(room), room).not.toContain('http');
});

test('no folder has more than 25 files', () => {
  const counts = Map.groupBy(files.keys(), dirname);
  for (const [folder, inIt] of counts) expect(inIt.length, folder).toBeLessThanOrEqual(25);
});

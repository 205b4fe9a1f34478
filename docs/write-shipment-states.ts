// Writes docs/shipment-states.md from machines/ (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { shipmentStatesPage } from './shipment-states.ts';

await writeFile(new URL('shipment-states.md', import.meta.url), shipmentStatesPage());

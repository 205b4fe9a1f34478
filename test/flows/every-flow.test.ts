// Every flow from its start to its result, from each state that its prior may have, with everything real: against our own
// service, and against a vendor that has exactly the interface.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrongInDatabase } from '../support/stored-invariants.ts';
import { bareVendor, type Installation, ourService, startInstallation } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';

describe.each([ourService, bareVendor])('with $name', (vendor) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await startInstallation(vendor);
  });
  afterAll(async () => {
    expect(await wrongInDatabase(installation.service.database)).toEqual([]);
    await installation[Symbol.asyncDispose]();
  });

  test.concurrent.each(stories)('$title comes to its end', async (story) => {
    const play = await Play.begin({ installation, story });
    await play.doAll();
    await play.expectDone();
  });
});

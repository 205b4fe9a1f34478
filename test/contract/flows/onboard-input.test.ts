// What OnboardAccount may tell the outside: only its end. It has no deadlines, and never needs a person.
import { expect, test } from 'vitest';
import { ContractError, checkOnboardInput } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';

const { request } = examples.CreateAccount;

function wrongFields(input: unknown): string[] {
  try {
    checkOnboardInput(input);
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.issues.map(({ field }) => field);
  }
}

test('its end can be told, through a connector by its name', () => {
  const tell = { events: ['ended'], to: 'hub' };
  expect(checkOnboardInput({ request, tell })).toMatchObject({ tell });
  expect(checkOnboardInput({ request, tell: null })).not.toHaveProperty('tell');
});

test.each([
  [{ events: ['overdue'] }, 'tell.events.0'],
  [{ events: [] }, 'tell.events'],
  [{ events: ['ended'], remindBefore: 'P2D' }, 'tell.remindBefore'],
  [{ events: ['ended'], to: 'https://hub.example' }, 'tell.to'],
])('it refuses to tell %j', (tell, field) => {
  expect(wrongFields({ request, tell })).toEqual([field]);
});

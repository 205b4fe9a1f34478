// The settings that describe a service other than our own: how they are read, and what they make of its answers.
import { describe, expect, it } from 'vitest';
import { readServiceProfile, serviceProfileSettings } from '../../../contract/index.ts';

const serviceProfile = (settings: Record<string, string>) =>
  readServiceProfile(serviceProfileSettings.parse(settings));
const started = (timeZone: string, stateStart: string | null) =>
  serviceProfile({ LOCKER_TIME_ZONE: timeZone }).normalize({ stateCode: null, stateStart }).stateStart;

describe('the settings of a service', () => {
  // assumptions: A bare vendor, What the service offers beside the interface
  it('claim nothing and change nothing when they are empty', () => {
    const { capabilities, noLockerCodes, normalize } = serviceProfile({});
    expect([...capabilities]).toEqual([]);
    expect([...noLockerCodes]).toEqual(['NoLockerAvailable']);
    expect(normalize({ stateCode: 'Completed', stateStart: '2031-05-01T12:00:00Z' })).toEqual({
      stateCode: 'Completed',
      stateStart: '2031-05-01T12:00:00Z',
    });
  });

  // assumptions: A bare vendor, Its codes for "no locker free"
  it('are lists separated by commas, blanks aside', () => {
    const read = serviceProfile({
      LOCKER_CAPABILITIES: ' getShipments, accessCodes ,',
      LOCKER_NO_LOCKER_CODES: 'Full,NoBox',
    });
    expect([...read.capabilities]).toEqual(['getShipments', 'accessCodes']);
    expect([...read.noLockerCodes]).toEqual(['NoLockerAvailable', 'Full', 'NoBox']);
  });

  it.each([
    [{ LOCKER_CAPABILITIES: 'getShipment' }, 'must be a list of getShipments, idempotencyKey, accessCodes'],
    [
      { LOCKER_STATE_MAP: 'Available=Ready' },
      'a state code of the service and one of Registered, ReadyForDropoff, WaitForReceiver, ReadyForPickup, Completed, Cancelled; "Available=Ready" is no such pair',
    ],
    [{ LOCKER_STATE_MAP: 'Available' }, '"Available" is no such pair'],
    [{ LOCKER_STATE_MAP: 'A=Completed=B' }, '"A=Completed=B" is no such pair'],
    [{ LOCKER_TIME_ZONE: 'Amsterdam' }, 'must be the name of a time zone'],
  ])('are refused if wrong, with the expected value: %o', (settings, message) => {
    const { error } = serviceProfileSettings.safeParse(settings);
    expect(error?.issues[0]?.path[0]).toBe(Object.keys(settings)[0]);
    expect(error?.issues[0]?.message).toContain(message);
  });

  // assumptions: States, The state codes of another service
  // assumptions: A bare vendor, Its state codes
  it('map their state codes to ours; codes not named stay', () => {
    const { normalize } = serviceProfile({
      LOCKER_STATE_MAP: 'Available=ReadyForPickup, Waiting = ReadyForPickup',
    });
    const codes = ['Available', 'Waiting', 'Completed', 'Lost', null].map(
      (stateCode) => normalize({ stateCode, stateStart: null }).stateCode,
    );
    expect(codes).toEqual(['ReadyForPickup', 'ReadyForPickup', 'Completed', 'Lost', null]);
  });

  // assumptions: A bare vendor, The zone of its stateStart
  it.each([
    ['UTC', '2031-05-01T12:00:00', '2031-05-01T12:00:00.000Z'],
    ['Europe/Amsterdam', '2031-05-01T12:00:00', '2031-05-01T10:00:00.000Z'],
    ['Europe/Amsterdam', '2031-01-01T00:30:00.250', '2030-12-31T23:30:00.250Z'],
    ['Europe/Amsterdam', '2031-01-01T12:00', '2031-01-01T11:00:00.000Z'],
    ['America/New_York', '2031-03-09T01:59:59', '2031-03-09T06:59:59.000Z'],
    ['America/New_York', '2031-03-09T03:00:00', '2031-03-09T07:00:00.000Z'],
    ['Asia/Kathmandu', '2031-05-01T00:00:00', '2031-04-30T18:15:00.000Z'],
    ['Europe/Amsterdam', '2031-05-01T12:00:00Z', '2031-05-01T12:00:00Z'],
    ['Europe/Amsterdam', '2031-05-01T12:00:00+05:00', '2031-05-01T12:00:00+05:00'],
    ['Europe/Amsterdam', 'yesterday', 'yesterday'],
    ['Europe/Amsterdam', '2031-13-45T12:00:00', '2031-13-45T12:00:00'],
    ['Europe/Amsterdam', null, null],
    // What .NET writes for no date at all, and for the last one that it has.
    ['UTC', '0001-01-01T00:00:00', '0001-01-01T00:00:00'],
    ['America/New_York', '9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
  ])('read in %s the moment %s as %s', (timeZone, stateStart, expected) => {
    expect(started(timeZone, stateStart)).toBe(expected);
  });
});

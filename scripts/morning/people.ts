// Those who have something in a locker, or a device at home, this morning.
import type { LockerApi } from '../../shared/locker-api/index.ts';

const names = [
  ['Anna', 'Jansen'],
  ['Daan', 'Bakker'],
  ['Eva', 'de Vries'],
  ['Fatima', 'El Amrani'],
  ['Gijs', 'Mulder'],
  ['Hanna', 'Smit'],
  ['Ibrahim', 'Kaya'],
  ['Joost', 'van Dijk'],
  ['Karin', 'Peters'],
  ['Lotte', 'Meijer'],
  ['Mark', 'de Boer'],
  ['Noah', 'Bos'],
  ['Olivia', 'Vos'],
  ['Pieter', 'Hendriks'],
  ['Quinten', 'Dekker'],
  ['Rosa', 'van Leeuwen'],
  ['Sanne', 'Brouwer'],
  ['Thijs', 'de Wit'],
  ['Usha', 'Ramdin'],
  ['Vera', 'Dijkstra'],
  ['Willem', 'Smits'],
  ['Xander', 'de Graaf'],
  ['Yara', 'van den Berg'],
  ['Zoë', 'Kuipers'],
] as const;

export type FirstName = (typeof names)[number][0];

/** Their accounts, by first name. Anna has one in the demo data. */
export async function makePeople(api: LockerApi): Promise<ReadonlyMap<FirstName, string>> {
  const accounts = names.map(async ([firstName, lastName], index) => {
    const { userUid } = await api.call('CreateOrGetAccount', {
      emailAddress: `${firstName.toLowerCase().replace('ë', 'e')}@example.com`,
      firstName,
      lastName,
      pickUpPointUid: 'pup-central',
      phoneNumber: `+316200000${String(index + 10)}`,
      languageCode: index % 4 === 1 ? 'en' : 'nl',
    });
    return [firstName, `${userUid}`] as const;
  });
  return new Map(await Promise.all(accounts));
}

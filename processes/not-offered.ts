// What a locker service cannot do, for people: by its operation, and not by how the service refuses it.
import { t } from '../shared/texts/text.ts';

const operations = (): Readonly<Record<string, string>> => ({
  GetShipments: t`list shipments`,
  GetShipmentEvents: t`tell what happened to a shipment`,
  GetShipmentAccessCode: t`tell access codes`,
  GetLockers: t`list lockers`,
  GetAuditLog: t`tell who did what`,
  SearchAccounts: t`search for people`,
});

export function formatNotOffered(operation: string): string {
  const words = operations()[operation];
  return words === undefined
    ? t`this locker service does not offer ${operation}`
    : t`this locker service cannot ${words}`;
}

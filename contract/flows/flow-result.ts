// The result of a shipment flow: how it ended, what is known of each shipment at the end, what was overdue and what was left. Its
// parts are parts of what a booking tells while it is open, too (booking-progress.ts).
import { z } from 'zod';
import { type Role, type Roles, stages } from './flow-input.ts';
import type { Of, OfRoles } from './schema-types.ts';

export const outcomes = ['Done', 'Overdue', 'Cancelled'] as const;
/**
 * Done: every leg met its done rule. Overdue: a passed deadline made the flow cancel. Cancelled: a leg was cancelled for
 * any other reason.
 */
export type Outcome = (typeof outcomes)[number];

export const instant = z.string().meta({ description: 'ISO 8601 with an offset, like 2031-05-01T12:00:00Z' });
export const stage = z.enum(stages).meta({ description: 'What the shipment waits for' });

const shipmentFields = {
  shipmentUid: z.string(),
  stateCode: z.string().nullable().meta({ description: 'Its last known state; null: none is known' }),
  stateStart: z
    .string()
    .nullable()
    .meta({ description: 'When that state began: ISO 8601; without an offset it means UTC' }),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
};

export const leg = z.object(shipmentFields);
export function byRole<Schema extends z.ZodType>(roles: Roles, schema: Schema) {
  const shape = Object.fromEntries(roles.map((role) => [role, schema.exactOptional()]));
  return z.object(shape) as unknown as z.ZodType<Partial<Record<Role, z.infer<Schema>>>>;
}

/** With several roles, a shipment may be one whose role is not known. */
function atTheEnd(roles: Roles) {
  const [only, ...others] = roles;
  return others.length > 0
    ? byRole(roles, leg)
    : (z.object({ [only]: leg }) as unknown as ReturnType<typeof byRole<typeof leg>>);
}

export const unassigned = (roles: Roles) =>
  z
    .array(leg.extend({ possibleRoles: z.array(z.enum(roles)) }))
    .meta({ description: 'Shipments of the flow whose roles are not known' });

export const itemsLeft = (roles: Roles) =>
  z
    .array(
      z.object({
        role: z.enum(roles).nullable(),
        shipmentUid: z.string(),
        pupUid: z.string().nullable(),
        lockerName: z.string().nullable(),
      }),
    )
    .meta({ description: 'Items that cancelled shipments left in their lockers: somebody must fetch them' });

export const overdue = (roles: Roles) =>
  z
    .array(z.object({ role: z.enum(roles), stage, deadline: instant }))
    .meta({ description: 'Each deadline that passed, also where the shipment moved on later' });

export const resultSchema = (roles: Roles) =>
  z.object({
    outcome: z.enum(outcomes).meta({
      description:
        'Done: each leg has met its done rule. Overdue: a passed deadline made the flow cancel. Cancelled: any other end with a cancelled leg',
    }),
    shipments: atTheEnd(roles).meta({ description: 'What is known of each shipment at the end, by role' }),
    overdue: overdue(roles),
    itemsLeft: itemsLeft(roles),
    unassigned: unassigned(roles),
  });

/** What is known of a shipment at the end; what is not known is null. */
export type LegResult = Of<typeof leg>;
/** A shipment of the flow whose role is still unknown, and the roles that it may have. */
export type UnassignedShipment = OfRoles<typeof unassigned>[number];
/** An item that a cancelled shipment left in its locker: someone must fetch it. */
export type ItemLeft = OfRoles<typeof itemsLeft>[number];
export type FlowResult = OfRoles<typeof resultSchema>;
export type OverdueStage = FlowResult['overdue'][number];

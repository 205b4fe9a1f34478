// What a field of a flow's input means: by the interface's names, by the use that a flow file makes of it, by its format.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FormField } from '../../../console/desk/desk-view.ts';
import { flowForm, usesIn } from '../../../console/desk/flow-forms.ts';
import { formOf, type JsonSchema } from '../../../console/desk/form.ts';
import { labelOf, nameApart } from '../../../console/page/forms/labels.ts';
import { isWithoutDeadline } from '../../../console/page/forms/without-deadline.ts';
import { shipmentInputJson, userSchemas } from '../../../contract/flow-schemas/inputs.ts';
import { flowRules, type ShipmentFlowType } from '../../../contract/flows/flow-rules.ts';
import type { Declaration } from '../../../flows/built-in/declaration.ts';
import { declarations, issue } from '../../../flows/built-in/flows.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import { type RegisteredFlow, shippedFlow } from '../../../processes/views/flow-registry.ts';

const flat = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => [field, ...flat(field.children ?? [])]);

const kindsIn = (fields: readonly FormField[]): Record<string, string> =>
  Object.fromEntries(
    flat(fields).map(({ path, kind, isRequired }) => [path, isRequired ? `${kind}!` : kind]),
  );

const builtIn = (flow: ShipmentFlowType) =>
  formOf(shipmentInputJson(flowRules[flow]) as JsonSchema, {
    definitions: userSchemas() as Readonly<Record<string, JsonSchema>>,
  });

const published = (file: FlowFile): RegisteredFlow => ({
  ...{ kind: 'published', name: file.name, file, version: 1, newest: 1, publishedAt: '' },
});

const example = (name: string) => {
  const path = join(import.meta.dirname, '../../../docs/examples/flow-files', `${name}.flow.yaml`);
  const file = parse(readFileSync(path, 'utf8')) as { readonly input: JsonSchema };
  return formOf({ type: 'object', properties: { request: file.input } }, { uses: usesIn(file) });
};

describe('of a built-in flow', () => {
  test('places, sizes, people, items and durations are known by the names of the interface', () => {
    expect(kindsIn(builtIn('Issue'))).toMatchObject({
      'request.pupUid': 'pickUpPoint!',
      'request.lockerUid': 'locker',
      'request.dimension': 'size!',
      'request.toUserUid': 'person!',
      'deadlines.issue.pickUp': 'duration',
      waitForLocker: 'duration',
    });
    expect(kindsIn(builtIn('IssueFromStock'))).toMatchObject({ 'request.priorShipmentUid': 'stockItem!' });
  });

  test('a person is one field, with the account that may be made in the place of the uid', () => {
    const fields = flat(builtIn('Issue'));
    expect(fields.map(({ path }) => path)).not.toContain('request.toUser');
    const person = fields.find(({ path }) => path === 'request.toUserUid');
    expect(person).toMatchObject({ accountPath: 'request.toUser' });
    expect(person?.children?.map(({ path }) => path)).toContain('request.toUser.emailAddress');
    // A local shipment may have no receiver yet.
    expect(kindsIn(builtIn('LocalShipment'))).toMatchObject({ 'request.toUserUid': 'person' });
  });

  test('lockers and sizes are those of the pick up point beside them', () => {
    const at = flat(builtIn('Issue')).filter((field) => field.at !== undefined);
    expect(at.map(({ path }) => path).sort()).toEqual(['request.dimension', 'request.lockerUid']);
    expect(new Set(at.map((field) => field.at))).toEqual(new Set(['request.pupUid']));
  });

  test.each(Object.keys(flowRules) as ShipmentFlowType[])('%s asks nobody for JSON', (flow) => {
    expect(flat(builtIn(flow)).filter(({ kind }) => kind === 'json')).toEqual([]);
  });
});

describe('of a flow file', () => {
  test('a field is what it is used for', () => {
    expect(kindsIn(example('device-loan'))).toMatchObject({
      'request.item': 'stockItem!',
      'request.spare': 'stockItem',
      'request.user': 'person!',
    });
    expect(kindsIn(example('parcel-at-the-desk'))).toMatchObject({
      'request.receiver': 'person!',
      'request.pickUpPoint': 'pickUpPoint!',
      'request.dimension': 'size!',
      'request.parcel': 'text!',
    });
  });

  test('a part of a text says nothing, and an item of a swap comes back', () => {
    const uses = usesIn({
      src: 'StockAfterSwapIntake',
      input: { request: { priorShipmentUid: `\${input.back}`, pupUid: `pup-\${input.city}` } },
    });
    expect([...uses]).toEqual([['request.back', 'intakeShipmentUid']]);
    const properties = {
      back: { type: 'string' },
      until: { type: 'string', format: 'date-time' },
      guest: { type: 'string', format: 'account' },
    };
    const schema = { type: 'object', properties: { request: { type: 'object', properties } } };
    expect(kindsIn(formOf(schema, { uses }))).toMatchObject({
      'request.back': 'intakeItem',
      'request.until': 'instant',
      'request.guest': 'person',
    });
  });
});

describe('of a copy of a built-in flow', () => {
  const formOfCopy = (declared: Declaration, more: object = {}) => {
    const file = { ...fileOf(declared), name: 'Copy', title: 'A copy', meaning: 'A test.', ...more };
    return flowForm(published(file), false);
  };

  test.each(declarations)('$name: the fields are those of the flow', (declared) => {
    expect(formOfCopy(declared)).toEqual({
      ...{ name: 'Copy', title: 'A copy', description: 'A test.' },
      fields: flowForm(shippedFlow(declared.name as ShipmentFlowType), false).fields,
    });
  });

  test('what it asks for beside is no other field', () => {
    const { fields } = formOfCopy(issue, { input: { required: ['details'] } });
    const shipped = flowForm(shippedFlow('Issue'), false).fields;
    expect(kindsIn(fields)).toEqual({ ...kindsIn(shipped), 'request.details': 'group!' });
  });

  test('what its input says of a field is on the form', () => {
    const input = {
      description: 'One parcel.',
      required: ['details'],
      properties: {
        pupUid: { title: 'Desk', description: 'Where it waits', enum: ['central', 'north'] },
        lockerUid: { anyOf: [{ type: 'string', enum: ['a1', 'a2'] }, { type: 'null' }], title: 'Door' },
        allowLargerLockers: { default: true },
        details: {
          type: ['object', 'null'],
          title: 'Order',
          required: ['referenceNo'],
          properties: { referenceNo: { title: 'Number', description: 'As on the receipt' } },
        },
        unknown: { type: 'string' },
      },
    };
    const fields = flat(formOfCopy(issue, { input }).fields);
    const shipped = flat(flowForm(shippedFlow('Issue'), false).fields);
    expect(fields.map(({ path }) => path)).toEqual(shipped.map(({ path }) => path));
    const changed = fields.filter((field, index) => {
      const { children: _, ...own } = field;
      const { children: __, ...before } = shipped[index] as FormField;
      return JSON.stringify(own) !== JSON.stringify(before);
    });
    expect(Object.fromEntries(changed.map((field) => [field.path, field]))).toMatchObject({
      request: { description: 'One parcel.', kind: 'group' },
      'request.pupUid': {
        ...{ label: 'Desk', description: 'Where it waits', isRequired: true },
        ...{ kind: 'choice', choices: ['central', 'north'] },
      },
      'request.lockerUid': { label: 'Door', isRequired: false, kind: 'choice', choices: ['a1', 'a2'] },
      'request.allowLargerLockers': { kind: 'flag', initial: true },
      'request.details': { label: 'Order', isRequired: true, kind: 'group' },
      'request.details.referenceNo': {
        ...{ label: 'Number', description: 'As on the receipt', isRequired: true, kind: 'text' },
      },
    });
  });
});

test('the item after a swap comes back, whoever books it', () => {
  const operation = 'CreateLocalShipmentAsStockAfterSwapIntake';
  const { fields } = flowForm(shippedFlow('StockAfterSwapIntake'), false);
  expect(kindsIn(fields)).toMatchObject({ 'request.priorShipmentUid': 'intakeItem!' });
  const request = { priorShipmentUid: `\${input.back}` };
  expect([...usesIn({ src: 'book', input: { operation, request } })]).toEqual([
    ['request.back', 'intakeShipmentUid'],
  ]);
  const issued = { operation: 'CreateLocalShipmentAsIssueFromStock', request };
  expect([...usesIn({ src: 'book', input: issued })]).toEqual([['request.back', 'priorShipmentUid']]);
});

test('a receiver is a person, unless it is the deadline of one', () => {
  const field = { label: 'Receiver', kind: 'text', isRequired: true, description: null } as const;
  expect(labelOf({ ...field, path: 'request.receiver' })).toBe('Receiver');
  expect(labelOf({ ...field, path: 'deadlines.issue.receiver' })).toBe('To have a receiver within');
});

test('away from its place a field that the form has twice is called by its group, too', () => {
  const { fields } = flowForm(shippedFlow('IssueAndSwapIntake'), false);
  expect(
    [
      'deadlines.issue.pickUp',
      'deadlines.intake.pickUp',
      'request.details.description',
      'request.lockerUid',
    ].map((path) => nameApart(path, fields)),
  ).toEqual([
    'Issue: To be picked up within',
    'Return: To be picked up within',
    'Details: Description',
    'Locker',
  ]);
  for (const { name } of declarations) {
    const { fields: all } = flowForm(shippedFlow(name as ShipmentFlowType), false);
    const leaves = flat(all).filter(({ children }) => !children);
    const names = leaves.map(({ path }) => nameApart(path, all));
    expect([name, names.filter((each, index) => names.indexOf(each) !== index)]).toEqual([name, []]);
  }
});

test('the clock of a sandbox is a choice only while it is ahead, also in a form of a flow file', () => {
  const file = { name: 'Check', meaning: 'A test.', input: { properties: { item: { type: 'string' } } } };
  for (const flow of [shippedFlow('Issue'), published(file)]) {
    const paths = (isClockAhead: boolean) => flowForm(flow, isClockAhead).fields.map(({ path }) => path);
    expect(paths(true)).toContain('clock');
    expect(paths(false)).not.toContain('clock');
  }
});

test('a form that asks for deadlines, and has none, says that nobody is reminded', () => {
  const { fields } = flowForm(shippedFlow('Issue'), false);
  expect(isWithoutDeadline(fields, { 'request.pupUid': 'central' })).toBe(true);
  expect(isWithoutDeadline(fields, { 'deadlines.issue.pickUp': ' ' })).toBe(true);
  expect(isWithoutDeadline(fields, { 'deadlines.issue.pickUp': '3 days' })).toBe(false);
  expect(isWithoutDeadline([], {})).toBe(false);
});

test('what a description says as a sentence goes on with how the field is typed', () => {
  const description = 'The accounts of the patrons, the first one first.';
  const patrons = { type: 'array', items: { type: 'string', format: 'account' }, description };
  const properties = { patrons, dimension: { type: 'object' }, count: { type: 'integer', minimum: 1 } };
  expect(formOf({ type: 'object', properties }).map((field) => field.description)).toEqual([
    'The accounts of the patrons, the first one first; one on each line',
    'as JSON',
    'at least 1',
  ]);
});

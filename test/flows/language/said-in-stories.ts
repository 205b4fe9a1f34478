// Holds what stories say to a process, and what it takes, to the schemas that programs read of its file.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { isOfChild } from '../../../flows/language/machine/incoming.ts';
import { messageSchemas } from '../../../flows/language/reading/message-schemas.ts';
import type { StoryFile } from '../../../flows/language/simulation/story.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

export const takes = (schema: object, value: unknown): boolean => ajv.validate(schema, value);

/** The answers and events that the process takes, and no schema of its file. */
export function notInSchemas(file: FlowFile, { stories }: StoryFile): unknown[] {
  const { answers, events } = messageSchemas(file);
  const isFromChild = isOfChild(file);
  return stories
    .flatMap(({ steps = [] }) => steps)
    .flatMap(({ when = {}, then = {} }) => {
      const { answer, event, data = null, with: values = {}, by = 'anna' } = when;
      if (then.refused !== undefined || isFromChild(String(event))) return [];
      const isAnswer = answer !== undefined;
      if (!isAnswer && event === undefined) return [];
      const said = isAnswer ? { question: answer, values, by } : { type: event, data };
      const schema = schemaFor(isAnswer ? answers : events, String(answer ?? event));
      return schema && takes(schema, said) ? [] : [said];
    });
}

/** What was said of a question or an event: its own schema, or the one of a wildcard. */
const schemaFor = (schemas: Readonly<Record<string, object>>, name: string): object | undefined =>
  schemas[name] ??
  Object.entries(schemas).find(
    ([key]) => key === '*' || (key.endsWith('.*') && name.startsWith(key.slice(0, -1))),
  )?.[1];

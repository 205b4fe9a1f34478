// The calendars that the flow files of a folder share: its file `calendars.yaml`, a map of calendars by name.
import type { CalendarData } from '../calendar.ts';
import type { SharedCalendars } from './calendars.ts';
import { type Finding, firstFindings, Report } from './report.ts';
import { checkCalendars } from './shape.ts';
import { parsedText } from './yaml.ts';

const NAMED = /(?:^|[/\\])calendars\.(?:ya?ml|json)$/;

/** Whether a text is no flow file, but the calendars that those beside it share. */
export const isCalendarsPath = (path: string): boolean => NAMED.test(path);

export const CALENDARS_FILES = ['calendars.yaml', 'calendars.yml', 'calendars.json'] as const;

/** With its last slash, and empty for a name alone: a name after it is a path beside the file. */
export const folderOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

interface ReadCalendars {
  readonly calendars: SharedCalendars;
  readonly findings: readonly Finding[];
}

export function readCalendars(text: string): ReadCalendars {
  const { data, findings, placeOf } = parsedText(text);
  if (findings.length > 0) return { calendars: {}, findings: firstFindings(findings) };
  // Shared calendars cannot refer to other shared ones.
  const report = new Report({ builtIn: [], published: [], connectors: null }, placeOf);
  checkCalendars(data, [], report);
  if (report.findings.length > 0) return { calendars: {}, findings: firstFindings(report.findings) };
  return { calendars: data as unknown as Readonly<Record<string, CalendarData>>, findings: [] };
}

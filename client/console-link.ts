// The way from Temporal's Web UI to a process's page in the console: Markdown, which the Web UI shows in a process's details.

/** As the Web UI shows it. Only of a web address: the link is shown to people. Throws TypeError for another one. */
export function consoleLink(consoleUrl: string, workflowId: string): string {
  const base = URL.canParse(consoleUrl) ? new URL(consoleUrl) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.search || base.hash)
    throw new TypeError(
      `consoleUrl must be an http or https address without user name, password, ? and #, like http://127.0.0.1:8088; got ${JSON.stringify(consoleUrl)}`,
    );
  return `[This process in the console](${base.href.replace(/\/$/, '')}/process/${pathPart(workflowId)})`;
}

/** Parentheses would end the link. */
const pathPart = (text: string): string =>
  encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29');

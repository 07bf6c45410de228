/** The documentation that a service shows, as pages and as Markdown at `/docs/NAME.md`: title and purpose by file name. */
interface GuideRow {
  readonly title: string
  readonly about: string
}

/** For users of a service, in the order of reading. */
const FOR_USERS = {
  start: { title: 'Start', about: 'from nothing to the first answer and the first stream in five minutes' },
  agents: { title: 'Agents and bots', about: 'key, payment, MCP, errors, limits, colours and streams' },
  recipes: { title: 'Recipes', about: 'agent frameworks: ask before you buy' },
  streams: { title: 'Streams', about: 'every topic in full, and what to do when a connection ends' },
  alerts: { title: 'Alerts', about: 'watches, conditions and filters' },
  webhooks: { title: 'Webhooks', about: 'destinations, signatures, retries' },
  payments: { title: 'Payments', about: 'x402 from the offer to the receipt' },
  examples: { title: 'Worked examples', about: 'numbers of one token, computed by hand' },
  methodology: { title: 'Methodology', about: 'every formula, its reason and what it carries' },
  glossary: { title: 'Glossary', about: 'one meaning for each word' },
  limitations: { title: 'Limitations', about: 'what the service does not see, and what its numbers do not say' },
  export: { title: 'Export', about: 'the whole history as Parquet' },
  captures: { title: 'Captures', about: 'record, import and replay chain data' },
  CHANGELOG: { title: 'Changelog', about: 'what changed, and how long what is deprecated stays' },
} as const satisfies Readonly<Record<string, GuideRow>>

/** For those who run a service, or read its code. */
const FOR_OPERATORS = {
  operating: { title: 'Operating', about: 'install, size, upgrade' },
  configuration: { title: 'Configuration', about: 'every variable' },
  nodes: { title: 'Several nodes', about: 'one log, many nodes' },
  monitoring: { title: 'Monitoring', about: 'metrics, alarms, and what to do' },
  backup: { title: 'Back up and repair', about: 'back up, restore, repair' },
  decisions: { title: 'Decisions', about: 'what the specification leaves open' },
  dependencies: { title: 'Dependencies', about: 'each package and its reason' },
  ARCHITECTURE: { title: 'Architecture', about: 'the way of the data, and where a new line goes' },
} as const satisfies Readonly<Record<string, GuideRow>>

export const GUIDES: Readonly<Record<string, GuideRow>> = { ...FOR_USERS, ...FOR_OPERATORS }
export const GUIDE_PARTS = [
  ['For users', Object.keys(FOR_USERS)],
  ['For operators', Object.keys(FOR_OPERATORS)],
] as const

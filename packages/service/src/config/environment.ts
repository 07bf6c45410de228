/** The only place that reads the environment: everything else is given it, and reads it through a schema. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env

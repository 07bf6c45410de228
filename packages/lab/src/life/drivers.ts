import type { Driver } from './driver.ts'

/** What leads a token through its life, by name. `sdk`: the folder in which the SDK that a driver needs is installed. */
export const DRIVERS: Readonly<Record<string, (sdk: string | null) => Promise<Driver>>> = {
  token: async () => (await import('./token-driver.ts')).TOKEN_DRIVER,
  dbc: async (sdk) => (await import('./dbc-driver.ts')).openDbcDriver(sdk),
}

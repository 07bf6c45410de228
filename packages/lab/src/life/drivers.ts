import type { Driver } from './driver.ts'

/** What leads a token through its life, by name. */
export const DRIVERS: Readonly<Record<string, () => Promise<Driver>>> = {
  token: async () => (await import('./token-driver.ts')).TOKEN_DRIVER,
}

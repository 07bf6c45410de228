import type { Interface } from './interface.ts'

export const pythonOf = (_: Interface): Readonly<Record<string, string>> => ({})

export interface Suite {
  readonly name: string
  readonly ending: string
  readonly command: 'npm test' | 'npm run test:all'
  readonly holds: string
}
export const SUITES: readonly Suite[]
export function suiteOf(path: string): string | null
export function sources(): string[]
export function testFiles(words?: readonly string[]): Record<string, string[]>
export function reaches(file: string, target: string): boolean

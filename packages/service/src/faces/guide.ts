import { readFileSync } from 'node:fs'
import { BUILT } from '../base/root.ts'

/** The address in the repository's guides: the service's default address. */
const WRITTEN_HOST = '://127.0.0.1:4000'

/** A guide with `publicUrl` as the service's address, if that is not empty. */
export function guide(file: string, publicUrl: string): string {
  const written = readFileSync(new URL(`docs/${file}`, BUILT), 'utf8')
  if (publicUrl === '') return written
  const socketUrl = publicUrl.replace(/^http/, 'ws')
  return written.replaceAll(`http${WRITTEN_HOST}`, publicUrl).replaceAll(`ws${WRITTEN_HOST}`, socketUrl)
}

/** The section with that heading, up to the next of the same level. */
export function sectionOf(text: string, heading: string): string {
  const start = text.indexOf(`${heading}\n`)
  if (start < 0) throw new Error(`no section ${heading}`)
  const next = text.indexOf('\n## ', start)
  return next < 0 ? text.slice(start) : text.slice(start, next + 1)
}

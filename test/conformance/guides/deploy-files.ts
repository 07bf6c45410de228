import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** The files under `deploy` as data. */
export const ROOT = resolve(import.meta.dirname, '../../..')
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

export const deployFiles: readonly string[] = readdirSync(join(ROOT, 'deploy'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .sort()

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Obj = { [name: string]: Json }

/** Every document of a YAML file; throws at the first fault or warning. */
export function yaml(text: string): Json[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings]
    if (fault !== undefined) throw fault
    return document.toJS() as Json
  })
}

/** The value at a path of names and indexes; undefined where there is none. */
export const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, name) => (inner as { [name: string]: Json } | null | undefined)?.[name], value)

export const list = (value: Json | undefined): Json[] => (value ?? []) as Json[]
export const obj = (value: Json | undefined): Obj => (value ?? {}) as Obj
export const strings = (value: Json | undefined): string[] => list(value).map(String)

/** `NAME=value` lines, as compose and systemd read them; throws at any other line. */
export function envFile(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const found = /^([A-Z_]+)=(.*)$/.exec(line)
      if (found === null) throw new Error(`no variable: ${line}`)
      return [found[1]!, found[2]!]
    }),
  )
}

/** `${NAME:-default}` or `${NAME:?what to do}` from `env`, as compose does it; throws where there is neither value nor default. */
export const interpolated = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, otherwise?: string) => {
    const value = env[name] || otherwise
    if (value === undefined) throw new Error(`${name} is set nowhere`)
    return value
  })

/** A systemd unit: section → name → every value given. */
export function unit(text: string): Record<string, Record<string, string[]>> {
  const sections: Record<string, Record<string, string[]>> = {}
  let section: Record<string, string[]> | null = null
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const header = /^\[(\w+)\]$/.exec(line)
    if (header !== null) {
      section = sections[header[1]!] ??= {}
      continue
    }
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined || section === null) throw new Error(`no line of a unit: ${line}`)
    section[name] = [...(section[name] ?? []), value!]
  }
  return sections
}

/** The anchors of a page's headings, as the usual viewers of Markdown make them. */
export const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...page.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const WORDS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'or', 'and', 'unless', 'bool'])

/** The metrics a PromQL expression asks for, and the labels it names. */
export function asked(expression: string): { readonly metrics: string[]; readonly labels: string[] } {
  const labels: string[] = []
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\boffset \w+/g, '')
    .replace(/\{([^}]*)\}/g, (_, inside: string) => {
      labels.push(...[...inside.matchAll(/(\w+)\s*[=!]/g)].map((found) => found[1]!))
      return ''
    })
    .replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, inside: string) => {
      labels.push(...inside.split(',').map((label) => label.trim()))
      return ''
    })
  const names = [...bare.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(\s*\()?/g)]
  return {
    metrics: names.filter(([, name, call]) => call === undefined && !WORDS.has(name!)).map(([, name]) => name!),
    labels: labels.filter((label) => label !== ''),
  }
}

/** the program's own text */
export const sources = ['core', 'service', 'lab', 'sandbox']
  .map((name) => `packages/${name}/src`)
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(join(folder, name))),
  )
  .join('\n')

/** whether the program reads a variable of this name */
export const isRead = (name: string): boolean => new RegExp(`[\\n(]\\s*'${name}'|\\benv\\.${name}\\b`).test(sources)

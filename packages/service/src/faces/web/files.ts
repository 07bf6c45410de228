import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Coding } from '@ti/core/base/coding.ts'
import { OperatorError } from '../../base/errors.ts'
import { BUILT } from '../../base/root.ts'

const WEB_FILES = {
  /** files, bytes of one, and of all: a build has some hundred files, with what is compressed, and 2 MB */
  files: 300,
  fileBytes: 4 << 20,
  bytes: 16 << 20,
}

/** One encoding of a file. */
export interface Form {
  readonly bytes: Buffer
  /** strong: computed from these bytes */
  readonly etag: string
}

export interface WebFile {
  readonly type: string
  readonly plain: Form
  readonly encoded: Readonly<Partial<Record<Coding, Form>>>
}

/** Files by URL path. */
export type WebFiles = ReadonlyMap<string, WebFile>

/** `npm run build` writes the page to this folder. */
export const WEB_DIR = new URL('web', BUILT)

export const INDEX = '/index.html'

/** Only these types are served; source maps stay with the sources. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
/** endings of the compressed forms in a build */
const ENDINGS = { '.br': 'br', '.gz': 'gzip' } as const
/** paths of other routes, which a build's files must not hide */
const TAKEN = new Set(['/openapi.json', '/llms.txt'])

/**
 * Reads all files of a build, with their compressed forms, once, so that no request touches the disk and no path leads out
 * of the folder. Null if there is no build; OperatorError if it exceeds the limits.
 */
export async function readWebFiles(
  dir: string,
  bounds: Readonly<typeof WEB_FILES> = WEB_FILES,
): Promise<WebFiles | null> {
  const forms = new Map<string, Form>()
  let bytes = 0
  for (const entry of await entriesOf(dir)) {
    const path = join(entry.parentPath, entry.name)
    const url = `/${relative(dir, path).split(sep).join('/')}`
    if (!entry.isFile() || TAKEN.has(url) || !(extname(url) in TYPES || extname(url) in ENDINGS)) continue
    const content = await readFile(path)
    bytes += content.length
    if (content.length > bounds.fileBytes || bytes > bounds.bytes || forms.size >= bounds.files) {
      throw new OperatorError(
        `${dir} is not a build of the page: it has too many files, or too large ones. Build it again`,
      )
    }
    forms.set(url, formOf(content))
  }
  return forms.has(INDEX) ? filesOf(forms) : null
}

function filesOf(forms: ReadonlyMap<string, Form>): WebFiles {
  const files = new Map<string, WebFile>()
  for (const [url, plain] of forms) {
    const type = TYPES[extname(url)]
    if (type === undefined) continue
    const encoded: Partial<Record<Coding, Form>> = {}
    for (const [ending, encoding] of Object.entries(ENDINGS)) {
      const dense = forms.get(url + ending)
      if (dense !== undefined && dense.bytes.length < plain.bytes.length) encoded[encoding] = dense
    }
    files.set(url, { type, plain, encoded })
  }
  return files
}

async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    return await readdir(dir, { recursive: true, withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

export const formOf = (bytes: Buffer): Form => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
})

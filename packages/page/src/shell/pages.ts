import { type ComponentType, lazy } from 'react'
import type { PageName } from './routes.ts'

type Page = ComponentType<{ id: string }>

/** Each page is a chunk of its own, loaded on demand. */
const FOUND = import.meta.glob<{ default: Page }>('../pages/*/page.tsx')

const made = new Map<PageName, Page>()

const loader = (name: PageName) => FOUND[`../pages/${name}/page.tsx`]

/** Returns the page or its lazy component; null if there is none of this name. */
export function pageOf(name: PageName): Page | null {
  const load = loader(name)
  if (load === undefined) return null
  const page = made.get(name) ?? lazy(load)
  made.set(name, page)
  return page
}

/** Loads a page in advance, so that it renders without a fallback. */
export async function preload(name: PageName): Promise<void> {
  try {
    const loaded = await loader(name)?.()
    if (loaded !== undefined && !made.has(name)) made.set(name, loaded.default)
  } catch {
    // rendering retries the import and reports the failure
  }
}

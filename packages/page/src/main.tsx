import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/base.css'
import { established } from './api/establish.ts'
import { firstAnswers } from './api/first.ts'
import { preload } from './shell/pages.ts'
import { match } from './shell/routes.ts'
import { Shell } from './shell/shell.tsx'
import { applyTheme, keptTheme } from './theme/theme.ts'

/** milliseconds that the first render waits for early answers; the served markup stays until the page's code is there */
const WAIT_MS = 150

/** Paints what arrives in time at once, without a fallback, which React would show for 300 ms. */
async function start(root: HTMLElement): Promise<void> {
  const opened = match(location.pathname)
  const late = new Promise((done) => setTimeout(done, WAIT_MS))
  if (opened !== null) await Promise.all([preload(opened.page), Promise.race([firstAnswers(), late])])
  createRoot(root).render(
    <StrictMode>
      <Shell />
    </StrictMode>,
  )
}

applyTheme(keptTheme())
void established()
const root = document.getElementById('page')
if (root === null) throw new Error('index.html has no element #page')
void start(root)

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/base.css'
import { establish } from './api/establish.ts'
import { preload } from './shell/pages.ts'
import { match } from './shell/routes.ts'
import { Shell } from './shell/shell.tsx'
import { applyTheme, keptTheme } from './theme/theme.ts'

applyTheme(keptTheme())
void establish()
const opened = match(location.pathname)
if (opened !== null) preload(opened.page)
const root = document.getElementById('page')
if (root === null) throw new Error('index.html has no element #page')
createRoot(root).render(
  <StrictMode>
    <Shell />
  </StrictMode>,
)

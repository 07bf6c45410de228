type Theme = 'system' | 'light' | 'dark'

const KEPT_AS = 'theme'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** Storage may be forbidden; the choice then lasts as long as the page. */
export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEPT_AS)
    return THEMES.find((theme) => theme === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function keepTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(KEPT_AS)
    else localStorage.setItem(KEPT_AS, theme)
  } catch {
    // the choice lasts as long as the page
  }
}

export const nextTheme = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'

/** Calls `change` when the colours change. Returns a function that unsubscribes. */
export function onColours(change: () => void): () => void {
  const chosen = new MutationObserver(change)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', change)
  return () => {
    chosen.disconnect()
    scheme.removeEventListener('change', change)
  }
}

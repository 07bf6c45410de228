import { useState } from 'react'
import { keepTheme, keptTheme, nextTheme } from '../theme/theme.ts'
import { announce } from '../ui/announce.ts'
import { Icon } from '../ui/icon.tsx'
import css from './shell.module.css'

const ICONS = {
  system: 'M2 3h12v8H2zm4 10h4',
  light: 'M8 5a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13 10A6 6 0 0 1 6 3a5.5 5.5 0 1 0 7 7z',
} as const

const WORDS = { system: 'as the system', light: 'light', dark: 'dark' } as const

/** Cycles through system, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme)
  const turn = (): void => {
    const next = nextTheme(theme)
    keepTheme(next)
    setTheme(next)
    announce(`Colours: ${WORDS[next]}`)
  }
  const label = `Colours: ${WORDS[theme]}. Change to ${WORDS[nextTheme(theme)]}`
  return (
    <button type="button" className={css.theme} aria-label={label} title={label} onClick={turn}>
      <Icon width="16" height="16" strokeWidth="1.4">
        <path d={ICONS[theme]} strokeLinecap="round" strokeLinejoin="round" />
      </Icon>
    </button>
  )
}

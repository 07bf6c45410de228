const KEPT_AS = 'ti.intro'

function hide(): void {
  document.documentElement.dataset.intro = 'closed'
}

/** Hides the board's introduction where it was closed, before the first paint. */
export function applyIntro(): void {
  try {
    if (localStorage.getItem(KEPT_AS) !== null) hide()
  } catch {
    // without storage it is shown
  }
}

export function closeIntro(): void {
  hide()
  try {
    localStorage.setItem(KEPT_AS, 'closed')
  } catch {
    // closed until the page is loaded again
  }
}

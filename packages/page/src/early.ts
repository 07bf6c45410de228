import { get } from './api/client.ts'
import { establish } from './api/establish.ts'
import { askFirst } from './api/first.ts'
import { applyIntro } from './pages/board/intro.ts'
import { firstPaths as boardPaths } from './pages/board/lists.ts'
import { tokenPaths } from './pages/token/first.ts'
import { match } from './shell/routes.ts'
import { applyTheme, keptTheme } from './theme/theme.ts'

applyTheme(keptTheme())
applyIntro()
// requests the session and the page's first data while the other scripts still load
void establish()
const opened = match(location.pathname)
if (opened?.page === 'board') first(boardPaths())
if (opened?.page === 'token') first(Object.values(tokenPaths(opened.id)))

function first(paths: readonly string[]): void {
  for (const path of paths) askFirst(path, get)
}

import { Link } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'
import classes from './Media.module.css'

export type Kind = 'pictures' | 'audio' | 'video' | 'documents' | 'trash'

/** The labels that a tab stands for. */
export const labelsOf: Record<string, string> = {
  pictures: 'Photo,Cover',
  audio: 'Audio',
  video: 'Video',
  documents: 'PDF',
}

export const MediaTabs = ({ kind }: { kind: string | undefined }) => {
  const tabs: [Kind | undefined, string][] = [
    [undefined, t.media.all],
    ['pictures', t.media.pictures],
    ['audio', t.media.audio],
    ['video', t.media.video],
    ['documents', t.media.documents],
    ['trash', t.media.trash],
  ]
  return (
    <nav className={classes.tabs} aria-label={t.media.views}>
      {tabs.map(([name, title]) => (
        <Link
          key={title}
          to={'/media' as string}
          search={((before: Record<string, string>) => ({ ...before, kind: name })) as never}
          className={classes.tab}
          aria-current={kind === name ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

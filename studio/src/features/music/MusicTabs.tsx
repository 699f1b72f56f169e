import { Link } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'
import classes from './Music.module.css'

const paths = { timeline: '/music', tracks: '/music/tracks', artists: '/music/artists' } as const

export const MusicTabs = ({ active }: { active: keyof typeof paths }) => (
  <nav className={classes.tabs} aria-label={t.music.views}>
    {(Object.keys(paths) as (keyof typeof paths)[]).map((name) => (
      <Link
        key={name}
        to={paths[name]}
        className={classes.tab}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={active === name ? 'page' : undefined}
      >
        {t.music[name]}
      </Link>
    ))}
  </nav>
)

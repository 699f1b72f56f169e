import { CataloguePage } from './CataloguePage.tsx'

const TracksPage = () => <CataloguePage key="tracks" kind="tracks" />

export default TracksPage

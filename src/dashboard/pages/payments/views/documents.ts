import { graphql } from '../../../api/graphql.ts';

export const savedViewsDocument = graphql(`
  query SavedViews {
    savedViews {
      name
      query
    }
  }
`);

export const saveViewDocument = graphql(`
  mutation SaveView($name: String!, $query: String!) {
    saveView(name: $name, query: $query) {
      name
    }
  }
`);

export const deleteViewDocument = graphql(`
  mutation DeleteView($name: String!) {
    deleteView(name: $name)
  }
`);

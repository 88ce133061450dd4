// The page of castq: started on every page.

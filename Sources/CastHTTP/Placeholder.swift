// the client comes here

// the tests of the client come here
